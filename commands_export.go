package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/store"
)

func exportCommand() *cobra.Command {
	var whole bool
	cmd := &cobra.Command{Use: "export EVENT FILE|- | export --organization FILE|-",
		Short: "Write all of an event, or of all events, to an archive: records as JSON and CSV, and files",
		Args: func(cmd *cobra.Command, args []string) error {
			if whole {
				return cobra.ExactArgs(1)(cmd, args)
			}
			return cobra.ExactArgs(2)(cmd, args)
		},
		RunE: withOpened(opening{exists: true}, func(cmd *cobra.Command, db *models.Store, args []string) error {
			taken, err := take(cmd.Context(), db, args[:len(args)-1])
			if err != nil {
				return err
			}
			defer taken.Close()
			if err := db.KeepSeen(cmd.Context()); err != nil { // so that the archive has the latest
				return err
			}
			file := args[len(args)-1]
			if file == "-" {
				return taken.WriteTo(cmd.Context(), cmd.OutOrStdout())
			}
			manifest, err := exportTo(cmd, taken, file)
			return printed(cmd, manifest, err)
		})}
	cmd.Flags().BoolVar(&whole, "organization", false, "all events of the organization, and all its people once")
	return cmd
}

// take reads the named event, or the organization if none is named.
func take(ctx context.Context, db *models.Store, event []string) (*archive.Taken, error) {
	if len(event) > 0 {
		p, err := programmeOf(ctx, db, event[0], store.CommandLine)
		if err != nil {
			return nil, err
		}
		return archive.Take(ctx, p)
	}
	organization, err := store.TheOrganization(db.Read(ctx))
	if err != nil {
		return nil, err
	}
	if organization == nil {
		return nil, errors.New("there is no organization yet, so there is nothing to write")
	}
	return archive.TakeAll(ctx, db, db.Organization(organization.ID, store.CommandLine))
}

// exportTo writes an archive to a new file, which gets its name once it is complete.
func exportTo(cmd *cobra.Command, taken *archive.Taken, file string) (map[string]any, error) {
	if _, err := os.Lstat(file); err == nil {
		return nil, fmt.Errorf("%s is there already, and an export overwrites nothing", file)
	}
	part, remove, err := partOf(file)
	if err != nil {
		return nil, err
	}
	defer remove()
	out, err := os.OpenFile(part, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := taken.WriteTo(cmd.Context(), out); err != nil {
		return nil, err
	}
	size, err := out.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if err := publish(part, file); errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is there already, and an export overwrites nothing", file)
	} else if err != nil {
		return nil, err
	}
	return map[string]any{"file": file, "bytes": size}, nil
}

func importArchiveCommand() *cobra.Command {
	var as archive.Arrival
	cmd := &cobra.Command{Use: "archive FILE",
		Short: "Bring in what lectern export wrote: an event, or all events, with all that is their own", Args: cobra.ExactArgs(1),
		RunE: withStore(func(cmd *cobra.Command, db *models.Store, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			there, err := file.Stat()
			if err != nil {
				return err
			}
			schema, err := db.SchemaVersion(db.Read(cmd.Context()))
			if err != nil {
				return err
			}
			opened, err := archive.Open(file, there.Size(), schema)
			if err != nil {
				return err
			}
			arrived, err := opened.Import(cmd.Context(), db, importing, as)
			return printed(cmd, arrived, err)
		})}
	cmd.Flags().StringVar(&as.Name, "name", "", "name of the one event here (default that of the archive)")
	cmd.Flags().StringVar(&as.Slug, "slug", "", "its short name for addresses here (default that of the archive)")
	return cmd
}
