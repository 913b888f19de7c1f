package models

import (
	"context"
	"time"
)

// stepRows is how many rows one step of a bulk load writes at most. That takes
// about a tenth of a second, which is how long others wait for it.
const stepRows = 100

// writeStep is write for one of many steps in a row. Who waits for an SQLite file
// that another process holds looks again only now and then, so the file is left
// free after each step for as long as it was held.
func (p *Programme) writeStep(ctx context.Context, operation func(*Tx) error) error {
	var began time.Time
	err := p.write(ctx, func(tx *Tx) error {
		began = time.Now()
		return operation(tx)
	})
	if err != nil || !p.store.Embedded() {
		return err
	}
	select {
	case <-time.After(time.Since(began)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
