package main

import (
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
	return &cobra.Command{Use: "export EVENT FILE|-",
		Short: "Write all of an event to an archive: its records as JSON and CSV, and its files",
		Args:  cobra.ExactArgs(2),
		RunE: withOpened(opening{exists: true}, func(cmd *cobra.Command, db *models.Store, args []string) error {
			p, err := programmeOf(cmd.Context(), db, args[0], store.CommandLine)
			if err != nil {
				return err
			}
			taken, err := archive.Take(cmd.Context(), p)
			if err != nil {
				return err
			}
			defer taken.Close()
			if err := db.KeepSeen(cmd.Context()); err != nil { // that people left with their addresses
				return err
			}
			if args[1] == "-" {
				return taken.WriteTo(cmd.Context(), cmd.OutOrStdout())
			}
			manifest, err := exportTo(cmd, taken, args[1])
			if err != nil {
				return err
			}
			return printJSON(cmd, manifest)
		})}
}

// exportTo writes an archive to a new file, which has its name once it is whole.
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
		Short: "Bring an event in that lectern export wrote, with all that is its own", Args: cobra.ExactArgs(1),
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
			if err != nil {
				return err
			}
			return printJSON(cmd, arrived)
		})}
	cmd.Flags().StringVar(&as.Name, "name", "", "name of the event here (default that of the archive)")
	cmd.Flags().StringVar(&as.Slug, "slug", "", "its short name for addresses here (default that of the archive)")
	return cmd
}
