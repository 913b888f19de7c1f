package people

import (
	"lectern/models"
	"lectern/web/admin/visit"
)

// CardsAStage is how many cards a stage of the board shows at once.
const CardsAStage = cardsAStage

// PairAddress is where two people are compared.
var PairAddress = pairAddress

// OfferedColumns are the keys of the columns that the list of an event's people may have.
func OfferedColumns(e *models.Event) (keys []string) {
	for _, c := range (&roster{Visit: &visit.Visit{Event: e}}).offered() {
		keys = append(keys, c.key)
	}
	return keys
}
