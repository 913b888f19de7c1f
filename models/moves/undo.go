package moves

import "context"

func (w *worker) undo(ctx context.Context) (map[string]any, error) { return nil, nil }
