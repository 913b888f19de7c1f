package web

func (w *Web) staffRoutes() []route { return nil }
