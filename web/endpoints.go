package web

func (w *Web) endpointRoutes() []route { return nil }
