package web

func (w *Web) bulkRoutes() []route { return nil }
