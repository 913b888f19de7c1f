package words

import "context"

type languageKey struct{}

// With returns a context whose components are rendered in a language.
func With(ctx context.Context, l *Language) context.Context {
	return context.WithValue(ctx, languageKey{}, l)
}

// In returns the language of a rendering context, English by default.
func In(ctx context.Context) *Language {
	if l, said := ctx.Value(languageKey{}).(*Language); said {
		return l
	}
	return English()
}

// T returns a message in the language of a context.
func T(ctx context.Context, id string, values ...any) string { return In(ctx).T(id, values...) }

// N is T in the plural form for n.
func N(ctx context.Context, id string, n int, values ...any) string {
	return In(ctx).N(id, n, values...)
}
