package models

import (
	"reflect"
	"slices"
	"testing"
)

func TestEveryFieldOfASessionIsInTheTable(t *testing.T) {
	t.Parallel()
	s := &Session{}
	in := reflect.ValueOf(s).Elem()
	for i := range in.NumField() {
		at := in.Field(i).Addr()
		declared := func(f *SessionField) bool {
			return f.at != nil && reflect.ValueOf(f.at(s)).Pointer() == at.Pointer() && reflect.TypeOf(f.at(s)) == at.Type()
		}
		if !slices.ContainsFunc(SessionFields, declared) {
			t.Errorf("%s is not in the table SessionFields", in.Type().Field(i).Name)
		}
	}
	c := &SessionChange{}
	given := []any{&c.PublishOverride} // belongs to no field
	for _, f := range SessionFields {
		if f.Input != nil {
			given = append(given, f.Input(c))
		}
	}
	for _, of := range []reflect.Value{reflect.ValueOf(c).Elem(), reflect.ValueOf(&c.SessionInput).Elem()} {
		for i := range of.NumField() {
			field := of.Field(i).Addr()
			is := func(to any) bool { return reflect.ValueOf(to).Pointer() == field.Pointer() }
			if !of.Type().Field(i).Anonymous && !slices.ContainsFunc(given, is) {
				t.Errorf("what a change says of %s is not in the table SessionFields", of.Type().Field(i).Name)
			}
		}
	}
	for _, f := range SessionFields {
		if Field(f.Name) != f || (f.fact != nil) != (f.Label != "") || (f.clean != nil) != (f.apply != nil) ||
			(f.apply != nil && f.Input == nil) {
			t.Errorf("%s is there twice, or only by half", f.Name)
		}
	}
}
