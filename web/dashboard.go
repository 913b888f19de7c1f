package web

func (w *Web) dashboardRoutes() []route { return nil }
