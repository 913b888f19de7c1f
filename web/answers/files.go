package answers

import (
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/store"
)

// KeepFiles takes the files that came with the form, and removes the one whose button was pressed.
func (f *Form) KeepFiles(p *cfp.Proposal, s *State) (*cfp.Proposal, error) {
	if key := f.visit.Value("remove_file"); key != "" {
		return f.changed(p, s, key, func() (*cfp.Proposal, error) { return f.writer.RemoveFile(key) })
	}
	for _, q := range p.Form.Questions() {
		upload, given, err := f.visit.File(q.Field())
		if q.Type != field.File || !given {
			continue
		}
		if err == nil {
			p, err = f.changed(p, s, q.Key, func() (*cfp.Proposal, error) { return f.writer.AttachFile(q.Key, upload) })
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// changed is the proposal after its file was changed; a file that is refused is a fault of the form.
func (f *Form) changed(p *cfp.Proposal, s *State, key string,
	change func() (*cfp.Proposal, error)) (*cfp.Proposal, error) {
	now, err := change()
	switch kind := store.KindOf(err); {
	case (kind == store.Invalid || kind == store.TooMany) && !cfp.IsRefused(err):
		s.Faults = append(s.Faults, p.Form.Faults(err)...)
		s.NotKept = len(s.Faults)
		return p, nil
	case kind == store.NotFound: // the question is not asked any more
		f.visit.KeepNotice("warn", "The file was not kept: the form does not ask for it any more.")
		return p, nil
	case err != nil:
		return nil, err
	}
	if s.Values[key] = ""; now.Files[key] != nil {
		s.Values[key] = now.Files[key].ID
	}
	return now, nil
}
