package web

func (w *Web) accountRoutes() []route { return nil }
