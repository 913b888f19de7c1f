// The eleven commonest jobs of a program that talks to Lectern, with types made by
//   npx openapi-typescript $LECTERN_URL/v1/openapi.json -o lectern.d.ts
import createClient from 'openapi-fetch'
import type { components, paths } from './lectern.js'

type Found = components['schemas']['FoundSession']

const lectern = createClient<paths>({
	baseUrl: process.env.LECTERN_URL!,
	headers: { 'x-access-token': process.env.LECTERN_KEY! },
})

// ok is the data of a success; a refusal is thrown, with the server's word for it.
function ok<T>(answer: { data?: T; error?: components['schemas']['Error'] }): T {
	if (answer.data === undefined) throw new Error(`${answer.error?.error}: ${answer.error?.message}`)
	return answer.data
}

// 1. Who am I?
const key = ok(await lectern.GET('/v1/key'))
const path = { eventId: key.event.id }
console.log(`1 ${key.event.name}: ${key.scopes.includes('write:sessions') ? 'may write' : 'reads'}`)

// 2. List metadata.
const rooms = ok(await lectern.GET('/v1/event/{eventId}/rooms', { params: { path } })).results
const tracks = ok(await lectern.GET('/v1/event/{eventId}/tracks', { params: { path } })).results
console.log(`2 ${tracks.map(track => track.name).join(', ')} in ${rooms.map(room => room.name).join(', ')}`)

// 3. Search sessions with a filter, page by page, for their titles alone.
const programme: Found[] = []
for (let page = 1, pages = 1; page <= pages; page++) {
	const found = ok(await lectern.POST('/v1/event/{eventId}/sessions/search', {
		params: { path },
		body: {
			filters: { is_abstract: false, status: ['accepted'] },
			sort: { order: 'startsAt', sort: 'asc' }, fields: ['title'], page, pageSize: 1,
		},
	}))
	pages = found.pagination.totalPages
	programme.push(...found.results)
}
console.log(`3 ${programme.map(session => session.title).join(', ')}`)

// 4. Create a submission. The key makes it safe to send it again when no answer came.
const create = async () => ok(await lectern.POST('/v1/event/{eventId}/sessions/create', {
	params: { path, header: { 'Idempotency-Key': 'form-7-answer-1' } },
	body: {
		title: 'What the tide tables left out', is_abstract: true, track_id: tracks[0]!.id,
		custom_fields: { length: '30 minutes' },
	},
}))
const made = await create(), again = await create()
console.log(`4 ${made.friendly_id}, ${made.id === again.id ? 'once' : 'twice'}`)

// 5. Read it, by its id or by its label.
const read = ok(await lectern.GET('/v1/event/{eventId}/sessions/{sessionId}', {
	params: { path: { ...path, sessionId: made.friendly_id } },
}))
console.log(`5 ${read.title}: ${read.status}, ${read.track?.name}, ${read.custom_fields[0]?.value}`)

// 6. Change it, unless somebody else did since it was read.
const change = (body: components['schemas']['SessionUpdate']) =>
	lectern.PUT('/v1/event/{eventId}/sessions/{sessionId}', { params: { path: { ...path, sessionId: read.id } }, body })
const accepted = ok(await change({ status: 'accept_queue', updated_at: read.updated_at }))
const late = await change({ status: 'declined', updated_at: read.updated_at })
console.log(`6 ${accepted.status}; later ${late.response.status} ${late.error?.error}`)

// 7. Read why something was refused: a stable name, words for a person, the faulty fields.
const missing = await lectern.GET('/v1/event/{eventId}/sessions/{sessionId}', {
	params: { path: { ...path, sessionId: 'A-99' } },
})
const faulty = await lectern.POST('/v1/event/{eventId}/sessions/create', { params: { path }, body: { title: '' } })
console.log(`7 ${missing.response.status} ${missing.error?.error}, ` +
	`${faulty.response.status} ${faulty.error?.error} of ${faulty.error?.details?.map(fault => fault.field).join(', ')}`)

// 8. Create and change many at once; each item tells for itself how it went.
const batch = ok(await lectern.POST('/v1/event/{eventId}/sessions/bulk', {
	params: { path, header: { 'Idempotency-Key': 'import-3' } },
	body: {
		operations: [
			{ action: 'create', data: { title: 'Pumps', is_abstract: true } },
			{ action: 'update', id: made.id, data: { description: '<p>A field report.</p>' } },
			{ action: 'delete', id: 'A-99' },
		],
	},
}))
console.log(`8 ${batch.results.map(item => item.error?.code ?? item.status).join(', ')}`)

// 9. Give a session a room and a time.
const talk = ok(await lectern.POST('/v1/event/{eventId}/sessions/create', {
	params: { path }, body: { title: 'Opening' },
}))
const placed = ok(await lectern.PUT('/v1/event/{eventId}/sessions/{sessionId}', {
	params: { path: { ...path, sessionId: talk.id } },
	body: { room_id: rooms[0]!.id, starts_at: '2027-05-14T09:00:00+01:00', ends_at: '2027-05-14T09:30:00+01:00' },
}))
console.log(`9 ${placed.title}: ${placed.room?.name}, ${placed.starts_at}`)

// 10. Search speakers.
const speakers = ok(await lectern.POST('/v1/event/{eventId}/speakers/search', {
	params: { path }, body: { filters: { text: 'lovelace' } },
}))
console.log(`10 ${speakers.results.map(speaker => speaker.full_name).join(', ')}`)

// 11. Keep a copy of what changes, here of rooms and tracks.
const changes = ok(await lectern.GET('/v1/event/{eventId}/changes', {
	params: { path, query: { kinds: ['room', 'track'] } },
}))
console.log(`11 ${changes.results.length} changes of ${changes.kinds.join(', ')}`)
