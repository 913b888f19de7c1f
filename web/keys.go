package web

func (w *Web) keyRoutes() []route { return nil }
