package web

func (w *Web) metadataRoutes() []route { return nil }
