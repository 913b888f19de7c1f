package models

// Page asks for one page of a list.
type Page struct {
	Number int // 1 to 999
	Size   int // 1 to 100
}

const (
	// MaxPage and MaxPageSize are the contract's limits.
	MaxPage         = 999
	MaxPageSize     = 100
	DefaultPageSize = 25
)

// Pagination tells where in a list a page stands. TotalPages is 0 when there
// are no results.
type Pagination struct {
	CurrentPage  int   `json:"currentPage"`
	PageSize     int   `json:"pageSize"`
	TotalPages   int   `json:"totalPages"`
	TotalResults int64 `json:"totalResults"`
}

// clean fills the defaults and answers Invalid beyond the limits.
func (p *Page) clean() error {
	if p.Number == 0 {
		p.Number = 1
	}
	if p.Size == 0 {
		p.Size = DefaultPageSize
	}
	var f faults
	if p.Number < 1 || p.Number > MaxPage {
		f.add(invalid("page", "must be between 1 and %d", MaxPage))
	}
	if p.Size < 1 || p.Size > MaxPageSize {
		f.add(invalid("pageSize", "must be between 1 and %d", MaxPageSize))
	}
	return f.err()
}

func (p Page) offset() int { return (p.Number - 1) * p.Size }

// Of is the pagination of a list with total results.
func (p Page) Of(total int64) Pagination {
	return Pagination{p.Number, p.Size, int((total + int64(p.Size) - 1) / int64(p.Size)), total}
}
