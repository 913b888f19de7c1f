package main

import (
	"github.com/spf13/cobra"

	"lectern/models"
)

func migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring the database's schema up to date", Args: cobra.NoArgs, RunE: configured(migrate),
	}
}

func migrate(cmd *cobra.Command, c *Config, _ []string) error {
	if err := c.makeRoom(); err != nil {
		return err
	}
	store, err := models.Open(cmd.Context(), c.DatabaseURL, c.storeOptions(c.SecretKey, nil))
	if err != nil {
		return err
	}
	defer store.Close()
	applied, err := bringUpToDate(cmd.Context(), c, store, nil)
	if err != nil {
		return err
	}
	if applied == nil {
		applied = []int64{}
	}
	return printJSON(cmd, map[string]any{"applied": applied})
}
