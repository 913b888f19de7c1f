// Lectern is the programme service of a conference.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	_ "time/tzdata" // for systems without zone files

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/jobs/tracing"
	"lectern/models"
	"lectern/models/identity"
	"lectern/models/setup"
	"lectern/models/store"
	"lectern/web/admin/visit"
	"lectern/web/server"
)

// version is set by the linker in a release.
var version = ""

func main() {
	tuneMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := rootCommand().ExecuteContext(ctx)
	ended := ctx.Err() != nil
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lectern: "+strings.ReplaceAll(inWords(err, ended), "\n", "\nlectern: "))
		os.Exit(1)
	}
}

// inWords returns what a command prints for an error; ended reports whether the process was asked to end.
func inWords(err error, ended bool) string {
	var told *store.Error
	var file *fs.PathError
	switch e := store.AsError(err); {
	case errors.As(err, &file): // a file's error does not come from the database
	case ended && errors.Is(err, context.Canceled):
		return "ended before it was done"
	case e != nil && !errors.As(err, &told): // the database could not answer
		return e.Message + "\n" + err.Error()
	}
	return err.Error()
}

func rootCommand() *cobra.Command {
	root := serving(&cobra.Command{
		Use: "lectern", Short: "The programme service of a conference",
		SilenceUsage: true, SilenceErrors: true, Args: cobra.NoArgs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	})
	defineFlags(root.PersistentFlags())
	root.AddCommand(
		serving(&cobra.Command{Use: "serve", Short: "Serve the API and the tool interface (the default)",
			Args: cobra.NoArgs}),
		demoCommand(), mcpCommand(),
		migrateCommand(), eventCommand(), userCommand(), apiKeyCommand(), webhookCommand(), importCommand(), exportCommand(),
		group("contacts", "People of an event", importContactsCommand()), seedCommand(), backupCommand(), restoreCommand(),
		verifyCommand(),
		&cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				fmt.Fprintln(cmd.OutOrStdout(), "lectern "+versionText())
				return nil
			}},
	)
	return root
}

func userAgent() string { return "Lectern/" + versionText() }

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// serving makes cmd the command that runs the server.
func serving(cmd *cobra.Command) *cobra.Command {
	accept := cmd.Flags().Bool("accept-new-secret-key", false,
		"go on with a secret key that does not open what is sealed, and give that up")
	cmd.RunE = configured(func(cmd *cobra.Command, c *Config, _ []string) error { return serve(cmd, c, *accept) })
	return cmd
}

func serve(cmd *cobra.Command, c *Config, acceptKey bool) error {
	lock, err := lockDatabase(c, "serve")
	if err != nil {
		return err
	}
	defer lock.Release()
	wake := &waker{}
	store, key, err := openWaiting(cmd.Context(), c, opening{
		committed: wake.call, seals: true, acceptKey: acceptKey, lock: lock,
	})
	if err != nil {
		return err
	}
	defer store.Close()
	return run(cmd.Context(), c, store, key, wake, func() {
		if readAlong(c.BaseURL) {
			slog.Warn("the base URL is plain http: passwords and sign-ins can be read on the way; "+
				"put https in front and set LECTERN_BASE_URL", "base_url", c.BaseURL)
		}
		if store.Embedded() && c.QuickSQLite {
			slog.Warn("a power cut may take back the last changes, as LECTERN_SQLITE_SYNC=normal asks for")
		}
		slog.Info("serving", "address", c.Addr, "base_url", c.BaseURL, "database", store.Dialect(),
			"files", c.filePlace().String(), "version", versionText())
	})
}

// tuneMemory lets the heap grow further between collections, which allows a third more requests a second, up to a
// limit. GOGC and GOMEMLIMIT override it.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(96 << 20)
	}
}

func setLog(c *Config) {
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, nil)
	if c.LogJSON {
		handler = slog.NewJSONHandler(os.Stderr, nil)
	}
	slog.SetDefault(slog.New(handler))
}

// waker wakes the deliveries after a commit; the store needs it before they exist.
type waker struct{ to atomic.Pointer[jobs.Runner] }

func (w *waker) call() {
	if runner := w.to.Load(); runner != nil {
		runner.Wake()
	}
}

// run serves and delivers until ctx ends, then lets running requests and deliveries finish.
func run(ctx context.Context, c *Config, store *models.Store, key []byte, wake *waker, ready func()) error {
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	own := server.Process{Key: key, Version: versionText(), IsManaged: c.Managed.Enabled()}
	if c.MetricsAddr != "" {
		own.Metrics = server.NewMetrics(store)
		if c.SecurityLog != nil {
			own.Metrics.ObserveSecurityLog(c.SecurityLog)
		}
		go func() {
			if err := own.Metrics.Serve(ctx, c.MetricsAddr); err != nil {
				cancel(fmt.Errorf("metrics: %w", err))
			}
		}()
	}
	tracer, err := startTracing(c, store)
	if err != nil {
		return err
	}
	defer tracer.End()
	own.Tracer = tracer
	runner := jobs.New(store, jobs.Options{
		UserAgent: userAgent(), AllowNets: c.AllowNets, Beside: c.Beside, Retention: c.Retention,
		Managed: c.Managed, Tracer: tracer,
	})
	wake.to.Store(runner)
	delivering, stopDelivering := context.WithCancel(context.WithoutCancel(ctx))
	var deliveries sync.WaitGroup
	deliveries.Go(func() { runner.Run(delivering, server.DrainTime) })
	deliveries.Go(func() { runner.RunBatches(delivering) })
	deliveries.Go(func() { runner.RunImports(delivering) })
	deliveries.Go(func() { runner.RunMoves(delivering) })
	deliveries.Go(func() { runner.RunArchives(delivering) })
	deliveries.Go(func() { jobs.NewLetters(store, c.Mail, c.MailFrom).Traced(tracer).Run(delivering, server.DrainTime) })
	deliveries.Go(func() { runner.KeepSeen(delivering) })
	deliveries.Go(func() { store.Watch(delivering) })
	deliveries.Go(func() { c.checkFiles(delivering) })
	defer deliveries.Wait()
	defer stopDelivering()
	if needed, err := setup.IsNeeded(ctx, store); err != nil {
		return err
	} else if needed {
		own.SetupCode = newSetupCode()
		slog.Info("nobody is staff yet: open /setup with this code",
			"code", own.SetupCode, "url", c.BaseURL+"/setup?code="+own.SetupCode)
	}
	own.Providers = identity.New(jobs.NewGuarded(c.AllowNets, identity.Limit), jobs.IsBlocked, time.Now)
	mailer, endMailer := startMailer(ctx, c, tracer)
	defer endMailer()
	own.Mailer = mailer
	app := server.New(&c.Options, store, own)
	ready()
	// Both drain at the same time; emissions of the last requests wait for the next start.
	return server.Serve(ctx, cancel, app, server.Listen(listener, &c.Options), stopDelivering)
}

// startTracing returns a tracer, nil if no collector is configured.
func startTracing(c *Config, s *models.Store) (*tracing.Tracer, error) {
	if c.Traces.URL == "" {
		return nil, nil
	}
	o := c.Traces
	o.Version, o.Instance, o.Database = versionText(), store.ProcessName(), s.Dialect()
	tracer, err := tracing.Start(o)
	if err != nil {
		return nil, fmt.Errorf("LECTERN_TRACES_URL: %w", err)
	}
	s.TraceStatements(tracer.Statement)
	return tracer, nil
}

// newSetupCode returns a code that only readers of the server's log know.
func newSetupCode() string { return strings.ToLower(rand.Text()[:16]) }

// startMailer starts a mailer, nil without a mail server, and returns how to end it once no more letters come. It ends
// soon after server.DrainTime from the end of ctx.
func startMailer(ctx context.Context, c *Config, tracer *tracing.Tracer) (mailer visit.Mailer, end func()) {
	if c.Mail == nil {
		return nil, func() {}
	}
	m := jobs.NewMailer(c.Mail, c.MailFrom).Traced(tracer)
	var running sync.WaitGroup
	running.Go(func() { m.Run(ctx, server.DrainTime) })
	return m, func() {
		m.Close()
		running.Wait()
	}
}
