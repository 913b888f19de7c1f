package demo

import "lectern/models"

// labels are the rows of metadata.
var labels = map[models.Family][]models.NewMetadata{
	models.Tracks: {{Name: "Keeping it running"}, {Name: "Data that outlives us"}, {Name: "People and pagers"},
		{Name: "Design for year ten"}, {Name: "Safe harbour"}, {Name: "Small and slow"}},
	models.Rooms: {{Name: "Great Hall", Capacity: new(420)}, {Name: "Chart Room", Capacity: new(120)},
		{Name: "Rope Loft", Capacity: new(80)}, {Name: "Signal Tower", Capacity: new(60)},
		{Name: "Net Shed", Capacity: new(30)}},
	models.Tags: {{Name: "case study"}, {Name: "live demo"}, {Name: "hands-on"}, {Name: "first-time speaker"},
		{Name: "postmortem"}, {Name: "open source"}, {Name: "recorded"}},
	models.Formats: {{Name: "Keynote", DefaultMinutes: new(50)}, {Name: "Talk", DefaultMinutes: new(30)},
		{Name: "Lightning talk", DefaultMinutes: new(10)}, {Name: "Workshop", DefaultMinutes: new(110)},
		{Name: "Break", DefaultMinutes: new(30)}},
	models.Levels: {{Name: "For everyone"}, {Name: "Some experience"}, {Name: "Deep water"}},
}

// submission is one abstract of the call for papers.
type submission struct {
	status      models.Status
	title, text string
}

// submissions are 60 abstracts in all seven states. The accepted ones come
// first, because sessions are composed of them.
var submissions = []submission{
	{models.Accepted, "Queues that forget nothing",
		"<p>Ten years of an <em>outbox table</em>: what we lost, when, and the three lines that ended it.</p><ul><li>one " +
			"transaction</li><li>one claim</li><li>one log</li></ul>"},
	{models.Accepted, "The second team",
		"<p>Every system that lasts is inherited. A study of 31 handovers, and what the people who stayed wished they had " +
			"been told.</p>"},
	{models.Accepted, "百年の記録を検索する", "<p>手書きの港湾日誌百年分を、三文字の索引で検索できるようにした話です。</p>"},
	{models.Accepted, "برمجيات تعيش أطول من شركاتها", "<p>كيف نكتب برمجيات يمكن لغيرنا أن يشغّلها بعد عشرين عاماً؟</p>"},
	{models.Accepted, "להחליף מפתחות בלי להעיר אף אחד", "<p>סיבוב מפתחות בשתי פעימות, ומה קורה כשהשנייה לא מגיעה.</p>"},
	{models.Accepted, "Moving forty years of ledgers on a Sunday",
		"<p>One weekend, two databases, 212 million rows and a bakery that stayed open. With the runbook.</p>"},
	{models.Accepted, "A format is a promise",
		"<p>File formats outlive the programs that write them. How to make a promise you can keep.</p>"},
	{models.Accepted, "Pagers people can live with", "<p>Rotas, quiet hours, and why we stopped counting incidents.</p>"},
	{models.Accepted, "Reading query plans aloud",
		"<p>Bring a slow query. We read its plan together until it is fast.</p>"},
	{models.Accepted, "A compiler older than its maintainer",
		"<p>What a code base from 1987 teaches about naming, patience and <code>goto</code>.</p>"},
	{models.Accepted, "Screen reader first",
		"<p>We built a year of features without looking at the screen. Here is what got better for everyone.</p>"},
	{models.Accepted, "Four thousand metres, four bars",
		"<p>Networks for villages where a truck comes twice a month.</p>"},
	{models.Accepted, "Streets without names",
		"<p>Addresses are a user interface. Notes from mapping a medina with the people who live there.</p>"},
	{models.Accepted, "Deleting a million lines",
		"<p>How we found out what nobody used, and how we told the one person who did.</p>"},
	{models.Accepted, "Paying maintainers, on time", "<p>Contracts, invoices and thanks: a year of running a fund.</p>"},
	{models.Accepted, "Clocks, of both kinds",
		"<p>Daylight saving, leap seconds and the astronomical clock of Prague.</p>"},
	{models.Accepted, "Ship on Fridays, on purpose", "<p>If Friday frightens you, the release process is the bug.</p>"},
	{models.Accepted, "The door left open in 2009", "<p>A postmortem of a forgotten debug port, told hour by hour.</p>"},
	{models.Accepted, "Messages under the desert", "<p>What qanats and gossip protocols have in common.</p>"},
	{models.Accepted, "Ask why, five times", "<p>User research for internal tools, with an hour a week.</p>"},
	{models.Accepted, "Pages for a ferry", "<p>Building an interface for a link that is gone half of the time.</p>"},
	{models.Accepted, "Version 1 is for ever",
		"<p>A field guide to changing a public API without breaking a harbour.</p>"},
	{models.Accepted, "Undo is a feature", "<p>From confirm dialogs to undo, in one admin, over six months.</p>"},
	{models.Accepted, "Boring cryptography", "<p>Five primitives are enough. An hour of saying no.</p>"},
	{models.Accepted, "Cataloguing software as if it were books", "<p>Shelf marks, editions and errata for programs.</p>"},
	{models.Accepted, "Offline first since the network was", "<p>Sync on phones that share one SIM card.</p>"},

	{models.AcceptQueue, "Restoring a backup in front of an audience",
		"<p>Live. With somebody else's backup, if you bring one.</p>"},
	{models.AcceptQueue, "Eleven people for eleven years", "<p>How a company stays small on purpose.</p>"},
	{models.AcceptQueue, "The manual is the interface",
		"<p>A walk through fifty years of manuals, with the smell of paper.</p>"},
	{models.AcceptQueue, "Forms that people finish",
		"<p>Lessons from a registry office in Addis Ababa: &lt;input&gt; is a conversation.</p>"},
	{models.AcceptQueue, "Breaking things politely", "<p>Fault injection for teams that like each other.</p>"},
	{models.AcceptQueue, "오래 가는 소프트웨어", "<p>유지보수가 즐거운 코드에 대하여.</p>"},
	{models.AcceptQueue, "Harbour logs, digitised by volunteers",
		"<p>4,000 evenings, 190,000 pages, and one rule for disagreements.</p>"},
	{models.AcceptQueue, "Two continents, one rota",
		"<p>On-call across the Bosphorus: ferries, handovers and <b>tea</b>.</p>"},

	{models.Pending, "Counting puffins and packets", "<p>Time series from the edge of the map.</p>"},
	{models.Pending, "Money in four currencies before breakfast", "<p>Reconciliation as a daily practice.</p>"},
	{models.Pending, "The docs are the product", "<p>We shipped the manual first. Then the code had to agree.</p>"},
	{models.Pending, "A parser for a train timetable", "<p>Small languages that run real railways.</p>"},
	{models.Pending, "Measure first, and other things we say", "<p>Benchmarks that survive a change of laptop.</p>"},
	{models.Pending, "Grids, tiles and time zones", "<p>What azulejos know about layout.</p>"},
	{models.Pending, "<script>alert('a title is text')</script> and other names",
		"<p>Names, titles and what systems do to them.</p>"},
	{models.Pending, "Debugging a queue by telephone", "<p>Without a screen, and with a very patient night shift.</p>"},
	{models.Pending, longTitle, "<p>This abstract has the longest title we allow, to see what pages make of it.</p>"},
	{models.Pending, "Addresses, and why you are wrong about them", "<p>Twelve falsehoods and a parcel.</p>"},

	{models.DeclineQueue, "My framework in ten minutes", "<p>It is faster than yours.</p>"},
	{models.DeclineQueue, "Blockchain for harbours", "<p>A ledger on every buoy.</p>"},
	{models.DeclineQueue, "Rewriting it, again", "<p>The third rewrite is going very well.</p>"},
	{models.DeclineQueue, "Ten tools you must use this year", "<p>A list.</p>"},
	{models.DeclineQueue, "Productivity for developers", "<p>Wake up at four.</p>"},

	{models.Declined, "Introducing our new product", "<p>With a discount code for attendees.</p>"},
	{models.Declined, "The end of programming", "<p>Soon.</p>"},
	{models.Declined, "Why nobody needs tests", "<p>A provocation.</p>"},
	{models.Declined, "A talk about talks", "<p>Recursive, with a live demo.</p>"},
	{models.Declined, "Microservices for two people", "<p>Forty repositories, one lunch table.</p>"},
	{models.Declined, "Our journey", "<p>It was a journey.</p>"},

	{models.Draft, "Untitled talk on lighthouses", ""},
	{models.Draft, "Something with tides", "<p>To be written.</p>"},
	{models.Draft, "Naming things (working title)", ""},
	{models.Withdrawn, "The archive at the bottom of the stairs", "<p>Withdrawn: the speaker's project was delayed.</p>"},
	{models.Withdrawn, "Letters to a future maintainer", "<p>Withdrawn with regret.</p>"},
}

// longTitle has exactly 255 characters.
const longTitle = "On the number of things that go wrong when a title is much longer than anybody who drew the page expected, " +
	"with examples from agendas, badges, letters, calendars and a very small screen beside a door, and what to do about " +
	"each of these before they matter."

// slot is a programme session without an abstract, or the place of one that is
// composed: day 0 or 1, minutes from midnight, length, room; day -1 is unscheduled.
type slot struct {
	day, at, minutes, room int
	title                  string // of a session without an abstract
	format                 int
}

// slots are 40 sessions over two days and five rooms. Those without a title
// take the accepted abstracts in turn.
var slots = []slot{
	{0, 540, 50, 0, "Opening: what the tide leaves", 0},
	{0, 600, 30, 0, "", 1}, {0, 600, 30, 1, "", 1}, {0, 600, 30, 2, "", 1}, {0, 600, 30, 3, "", 1},
	{0, 640, 30, 0, "Coffee on the quay", 4},
	{0, 670, 30, 0, "", 1}, {0, 670, 30, 1, "", 1}, {0, 670, 110, 4, "", 3}, {0, 670, 30, 3, "", 1},
	{0, 720, 60, 0, "Lunch", 4},
	{0, 800, 30, 0, "", 1}, {0, 800, 30, 1, "", 1}, {0, 800, 30, 2, "", 1}, {0, 800, 30, 3, "", 1},
	{0, 900, 110, 4, "Workshop: a runbook for your own Sunday", 3},
	{0, 900, 30, 1, "", 1},
	{0, 1080, 60, 0, "Lightning talks", 2},
	{0, 1380, 150, 0, "Night watch: the midnight deploy", 1}, // over midnight
	{1, 540, 50, 0, "Keynote: a hundred years of logs", 0},
	{1, 600, 30, 0, "", 1}, {1, 600, 30, 1, "", 1}, {1, 600, 30, 2, "", 1}, {1, 600, 30, 3, "", 1},
	{1, 640, 30, 0, "Coffee on the quay", 4},
	{1, 670, 30, 0, "", 1}, {1, 670, 30, 1, "", 1}, {1, 670, 110, 4, "Workshop: read a query plan", 3},
	{1, 720, 60, 0, "Lunch", 4},
	{1, 800, 30, 0, "", 1}, {1, 800, 30, 1, "", 1}, {1, 800, 30, 2, "", 1},
	{1, 900, 50, 0, "Panel: who keeps the lights on?", 1},
	{1, 960, 30, 0, "Closing: until the next tide", 0},
	{1, 1080, 180, 4, "Supper on the pontoon", 4},
	{-1, 0, 0, 0, "", 1}, {-1, 0, 0, 0, "", 1},
	{-1, 0, 0, 0, "Hallway track host", 1}, {-1, 0, 0, 0, "Harbour walk with an archivist", 1},
	{-1, 0, 0, 0, "Spare talk", 1},
}
