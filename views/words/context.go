package words

import "context"

type languageKey struct{}

// With has what is rendered with a context speak a language.
func With(ctx context.Context, l *Language) context.Context {
	return context.WithValue(ctx, languageKey{}, l)
}

// In is the language that what is rendered with a context speaks, English where nobody said.
func In(ctx context.Context) *Language {
	if l, said := ctx.Value(languageKey{}).(*Language); said {
		return l
	}
	return English()
}

// T is what an id of the catalogue says in the language of a context.
func T(ctx context.Context, id string, values ...any) string { return In(ctx).T(id, values...) }

// N is T in the plural form of a number.
func N(ctx context.Context, id string, n int, values ...any) string {
	return In(ctx).N(id, n, values...)
}
