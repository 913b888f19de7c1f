package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"

	"github.com/spf13/cobra"

	"lectern/web/server"
)

func mcpCommand() *cobra.Command {
	return &cobra.Command{Use: "mcp",
		Short: "Serve the tool interface alone, for the REST API at LECTERN_MCP_API_URL", Args: cobra.NoArgs,
		RunE: configured(func(cmd *cobra.Command, c *Config, _ []string) error {
			if c.MCP.API == "" {
				return errors.New("LECTERN_MCP_API_URL: is needed, the address of a Lectern such as https://lectern.example.org")
			}
			listener, err := net.Listen("tcp", c.Addr)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancelCause(cmd.Context())
			defer cancel(nil)
			app := server.NewTools(&c.Options, versionText())
			slog.Info("serving tools", "address", c.Addr, "api", redacted(c.MCP.API), "version", versionText())
			return server.Serve(ctx, cancel, app, server.Listen(listener, &c.Options), func() {})
		})}
}

func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Redacted()
}
