package store

import "gorm.io/gorm"

// Page asks for one page of a list.
type Page struct {
	Number int // 1 to 999
	Size   int // 1 to 100
}

const (
	// MaxPage and MaxPageSize are the contract's limits.
	MaxPage         = 999
	MaxPageSize     = 100
	defaultPageSize = 25
)

// Pagination says which part of a list a page is. TotalPages is 0 when there are no results.
type Pagination struct {
	CurrentPage  int   `json:"currentPage"`
	PageSize     int   `json:"pageSize"`
	TotalPages   int   `json:"totalPages"`
	TotalResults int64 `json:"totalResults"`
}

// Clean fills in the defaults, and answers Invalid beyond the limits.
func (p *Page) Clean() error {
	if p.Number == 0 {
		p.Number = 1
	}
	if p.Size == 0 {
		p.Size = defaultPageSize
	}
	var f Faults
	if p.Number < 1 || p.Number > MaxPage {
		f.Add(Invalidf("page", "must be between 1 and %d", MaxPage))
	}
	if p.Size < 1 || p.Size > MaxPageSize {
		f.Add(Invalidf("pageSize", "must be between 1 and %d", MaxPageSize))
	}
	return f.Err()
}

func (p Page) Offset() int { return (p.Number - 1) * p.Size }

// Of returns the pagination of a list with total results.
func (p Page) Of(total int64) Pagination {
	return Pagination{p.Number, p.Size, int((total + int64(p.Size) - 1) / int64(p.Size)), total}
}

// Newest returns a page of the rows that a query finds, newest first.
func Newest[T any](query *gorm.DB, page Page) ([]*T, Pagination, error) {
	query, rows := query.Session(&gorm.Session{}), []*T{}
	err := query.Order("created_at DESC, id DESC").Limit(page.Size).Offset(page.Offset()).Find(&rows).Error
	total := int64(page.Offset() + len(rows))
	if err == nil && (len(rows) == page.Size || len(rows) == 0 && page.Number > 1) {
		err = query.Count(&total).Error // the last page tells the total without counting
	}
	if err != nil {
		return nil, Pagination{}, err
	}
	return rows, page.Of(total), nil
}
