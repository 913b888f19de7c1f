// 25 answers to a call for papers, as long as people write them.
const titles = [
	'Keeping a harbour running on forty year old code', 'Queues that forget nothing', 'What the tide tables left out',
	'Practical observability for small teams', 'Moving 212 million rows on a Sunday', 'The second team: handing over what you love',
	'A gentle introduction to property-based testing', 'Why our backups restored, and yours might not', 'Postgres as a message broker, honestly',
	'Designing forms for people in a hurry', 'From monolith to modules without a rewrite', 'On-call across two continents',
	'Accessible maps without a mouse', 'Deprecating an API that banks depend on', 'Time zones, or how to miss a ferry',
	'Fuzzing file formats from 1987', 'Eleven years of migrations: a field report', 'Reading other people’s code aloud',
	'The cost of a cheap database', 'Documentation that survives its authors', 'Tracing requests through a fax machine',
	'Small and slow: software for a lighthouse', 'Memory safety for a C codebase you cannot stop', 'How we deleted half of our services',
	'Release engineering for the impatient',
]

const paragraphs = [
	'Most of us inherit systems that were running before we could type, and that have to keep running while we learn what they do. This talk is about the first year with such a system: what we measured before we touched anything, which parts we left alone on purpose, and the three changes that we would take back.',
	'You will see the real numbers, including the outage in March that took nineteen hours to understand and four minutes to repair. We go through the timeline step by step, look at what the dashboards showed at each point, and discuss which signals would have led us there sooner.',
	'No particular language or database is needed to follow. The audience should have been responsible for something in production at least once, and should be willing to disagree. At the end there is a checklist of one page, which you may take home and argue about with your team.',
]

// Each description begins at another sentence, for no two people write the same.
export const abstracts = titles.map((title, i) => {
	const sentences = paragraphs.join(' ').split(/(?<=[.:]) /)
	const turned = [...sentences.slice(i % sentences.length), ...sentences.slice(0, i % sentences.length)]
	return { title, description: `<p>${turned.slice(0, 4).join(' ')}</p><ul><li>${turned.slice(4).join('</li><li>')}</li></ul>` }
})
