package web

func (w *Web) sessionRoutes() []route { return nil }
