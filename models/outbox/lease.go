package outbox

import (
	"context"
	"errors"
	"path"
	"sync"
	"time"

	"lectern/models/store"
)

// deliveryLease is the lease of the one process that delivers.
const deliveryLease = "deliveries"

// lease says who does work that only one process may do, and until when unless they renew it. Its clock is the
// database's.
type lease struct {
	Name   string `gorm:"primaryKey"`
	Holder string
	Until  store.Time
}

// ErrLeadLost means that another process has taken the lead.
var ErrLeadLost = errors.New("another process has taken the lead")

// Lead is held by the one process that delivers, until some time after its last Renew. With SQLite there is only one
// process, and the lead does not end.
type Lead struct {
	outbox  *Outbox
	holder  string
	lasts   time.Duration
	mu      sync.Mutex
	renewed time.Time // our clock before the database was asked
}

// TakeLead returns the lead, or nil while another process has it. It ends by itself unless it is renewed within lasts.
func (o *Outbox) TakeLead(ctx context.Context, lasts time.Duration) (*Lead, error) {
	l := &Lead{outbox: o, holder: store.ProcessName() + "/" + store.NewID(), lasts: lasts, renewed: time.Now()}
	if o.Embedded() {
		return l, nil
	}
	taken := o.Read(ctx).Exec(`INSERT INTO leases (name, holder, until) VALUES (?, ?, now() + make_interval(secs => ?))
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.until < now()`,
		deliveryLease, l.holder, lasts.Seconds())
	if taken.Error != nil { // the database may have given it anyway, as when ctx ended before the answer
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseLimit)
		defer cancel()
		return nil, errors.Join(taken.Error, l.Release(ctx))
	}
	if taken.RowsAffected == 0 {
		return nil, nil
	}
	return l, nil
}

// releaseLimit is how long we try to release a lead when it is not known whether it was taken.
const releaseLimit = time.Second

// Leader returns the host and process that has the lead, or "".
func (o *Outbox) Leader(ctx context.Context) (string, error) {
	if o.Embedded() {
		return store.ProcessName(), nil
	}
	var holders []string
	err := o.Read(ctx).Raw("SELECT holder FROM leases WHERE name = ? AND until > now()", deliveryLease).
		Scan(&holders).Error
	if err != nil || len(holders) == 0 {
		return "", err
	}
	return path.Dir(holders[0]), nil
}

// Renew holds the lead for as long again. It answers ErrLeadLost, which is final, when another process has taken it
// since.
func (l *Lead) Renew(ctx context.Context) error {
	now := time.Now()
	if !l.outbox.Embedded() {
		renewed := l.outbox.Read(ctx).Exec(
			"UPDATE leases SET until = now() + make_interval(secs => ?) WHERE name = ? AND holder = ?",
			l.lasts.Seconds(), deliveryLease, l.holder)
		if renewed.Error != nil {
			return renewed.Error
		}
		if renewed.RowsAffected == 0 {
			return ErrLeadLost
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renewed = now
	return nil
}

// Valid tells, without asking the database, whether no other process can have the lead yet. It compares both clocks, so
// that a paused process notices: the wall clock goes on while the machine sleeps, and the monotonic one cannot be set.
func (l *Lead) Valid() bool {
	if l.outbox.Embedded() {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now, limit := time.Now(), l.lasts*4/5
	return now.Sub(l.renewed) < limit && now.Round(0).Sub(l.renewed.Round(0)) < limit
}

// Release gives up the lead, so that another process need not wait for it to expire.
func (l *Lead) Release(ctx context.Context) error {
	if l.outbox.Embedded() {
		return nil
	}
	return l.outbox.Read(ctx).Exec("DELETE FROM leases WHERE name = ? AND holder = ?", deliveryLease, l.holder).Error
}
