package web

func (w *Web) settingsRoutes() []route { return nil }
