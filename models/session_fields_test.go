package models_test

import (
	"reflect"
	"slices"
	"testing"

	"lectern/models"
)

func TestEveryFieldOfASessionIsInTheTable(t *testing.T) {
	t.Parallel()
	s := &models.Session{}
	in := reflect.ValueOf(s).Elem()
	for i := range in.NumField() {
		at := in.Field(i).Addr()
		declared := func(f *models.SessionField) bool {
			return f.At != nil && reflect.ValueOf(f.At(s)).Pointer() == at.Pointer() && reflect.TypeOf(f.At(s)) == at.Type()
		}
		if !slices.ContainsFunc(models.SessionFields, declared) {
			t.Errorf("%s is not in the table SessionFields", in.Type().Field(i).Name)
		}
	}
	c := &models.SessionChange{}
	given := []any{&c.PublishOverride} // belongs to no field
	for _, f := range models.SessionFields {
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
	for _, f := range models.SessionFields {
		if models.Field(f.Name) != f { // what else is half a field ends the program as it starts
			t.Errorf("%s is there twice", f.Name)
		}
	}
}
