package answers

import (
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

// KeepFiles stores the files that came with the form, and removes the file whose button was pressed.
func (f *Form[S]) KeepFiles(p S, s *State) (none S, err error) {
	if key := f.visit.Value("remove_file"); key != "" {
		return f.changed(p, s, key, func() (S, error) { return f.writer.RemoveFile(key) })
	}
	for _, q := range p.Answered().Form.Questions() {
		upload, given, err := f.visit.File(q.Field())
		if q.Type != field.File || !given {
			continue
		}
		if err == nil {
			p, err = f.changed(p, s, q.Key, func() (S, error) { return f.writer.AttachFile(q.Key, upload) })
		}
		if err != nil {
			return none, err
		}
	}
	return p, nil
}

// changed runs a change of one file and returns the sheet after it; a refused file becomes a fault of the form.
func (f *Form[S]) changed(p S, s *State, key string, change func() (S, error)) (none S, err error) {
	now, err := change()
	switch kind := store.KindOf(err); {
	case (kind == store.Invalid || kind == store.TooMany) && !call.IsRefused(err):
		s.Faults = append(s.Faults, p.Answered().Form.Faults(err)...)
		s.NotKept = len(s.Faults)
		return p, nil
	case kind == store.NotFound: // the question is not asked any more
		f.visit.KeepNotice("warn", "The file was not kept: the form does not ask for it any more.")
		return p, nil
	case err != nil:
		return none, err
	}
	if s.Values[key] = ""; now.Answered().Files[key] != nil {
		s.Values[key] = now.Answered().Files[key].ID
	}
	return now, nil
}
