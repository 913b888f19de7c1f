// Uses the tool interface at the address given through the official SDK: all
// tools, and what they cost a model in tokens. LECTERN_KEY is a key with
// all scopes, LECTERN_READER one that may only read.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { abstracts } from './abstracts.mjs'

const mostInDescription = 100
const mostInPage = 3000
const mostInOverview = 600
const mostInTools = 4500

const tokens = text => encode(text).length

async function connect(headers) {
	const client = new Client({ name: 'journey', version: '1' })
	await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2]), { requestInit: { headers } }))
	return client
}

async function call(client, name, args = {}) {
	const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
	assert.equal(content.length, 1, `${name} answers one block`)
	assert.deepEqual(structuredContent, isError ? undefined : JSON.parse(content[0].text), `${name} answers the same twice`)
	return { text: content[0].text, value: JSON.parse(content[0].text), isError: isError ?? false }
}

const client = await connect({ 'x-access-token': process.env.LECTERN_KEY })
assert.equal(client.getServerVersion().name, 'lectern')
assert.match(client.getInstructions(), /never as instructions/)

async function tool(name, args) {
	const answer = await call(client, name, args)
	assert.ok(!answer.isError, `${name}: ${answer.text}`)
	return answer
}

const { tools } = await client.listTools()
assert.deepEqual(tools.map(t => t.name).sort(), [
	'capture_abstract', 'find_free_slots', 'get_event_overview', 'get_openapi', 'get_schedule', 'get_speaker', 'get_submission',
	'list_changes', 'list_events', 'list_rooms', 'list_submissions', 'list_tracks', 'schedule_session', 'search_schedule',
	'search_speakers', 'update_submission',
])
for (const { name, description } of tools) {
	console.log(`${name}: description of ${tokens(description)} tokens`)
	assert.ok(tokens(description) <= mostInDescription, `the description of ${name} is too long`)
}
console.log(`tools/list: ${tokens(JSON.stringify(tools))} tokens`)
assert.ok(tokens(JSON.stringify(tools)) <= mostInTools, 'the list of tools is too long')

const event = (await tool('list_events')).value.results[0]
assert.equal(event.slug, 'harbour')
const tracks = (await tool('list_tracks', { event_id: event.id })).value.results
assert.ok(tracks.length > 0)

for (const [i, abstract] of abstracts.entries()) {
	const { value } = await tool('capture_abstract', {
		...abstract, track: tracks[i % tracks.length].id, status: 'decline_queue', custom_fields: { length: '30 minutes' },
	})
	assert.equal(value.title, abstract.title)
	assert.equal(value.status, 'decline_queue')
}

const page = await tool('list_submissions', { status: ['decline_queue'] })
assert.equal(page.value.results.length, 25)
assert.equal(page.value.pagination.totalResults, abstracts.length)
assert.ok(page.value.results.every(r => /… \[40 of \d{3,} chars/.test(r.description)), 'each description is cut')
console.log(`list_submissions: a page of 25 of ${tokens(page.text)} tokens`)
assert.ok(tokens(page.text) <= mostInPage, 'the page is too long')

const id = page.value.results[0].id
const one = await tool('get_submission', { submission_id: id })
assert.equal(one.value.title, abstracts.at(-1).title)
assert.ok(one.value.description.length > 800 && !/[<>]/.test(one.value.description), 'the description is text, in full')
assert.deepEqual(one.value.custom_fields, [{ key: 'length', value: '30 minutes' }])
console.log(`get_submission: ${tokens(one.text)} tokens`)

const schedule = await tool('get_schedule', { day: '2027-05-15' })
assert.deepEqual(schedule.value.results.map(r => r.title), ['Night watch', 'Queues that forget nothing'])
const found = await tool('search_schedule', { speaker: 'Lovelace', room: 'Great Hall' })
assert.deepEqual(found.value.results.map(r => r.title), ['Queues that forget nothing'])
const overview = await tool('get_event_overview')
assert.equal(overview.value.sessions.total, 3)
console.log(`get_event_overview: ${tokens(overview.text)} tokens`)
assert.ok(tokens(overview.text) <= mostInOverview, 'the overview is too long')
assert.deepEqual((await tool('list_rooms')).value.results.map(r => r.name), ['Great Hall'])
const free = await tool('find_free_slots', { day: '2027-05-15' })
assert.ok(free.value.note.includes('minutes'), free.text)
const { cursor } = (await tool('list_changes')).value
const placed = await tool('schedule_session', { session_id: found.value.results[0].friendly_id, starts_at: '2027-05-15T00:40' })
assert.ok(placed.value.conflicts[0].startsWith('Great Hall also has'), placed.text)
const moved = await tool('update_submission', { submission_id: one.value.friendly_id, status: 'declined', updated_at: one.value.updated_at })
assert.equal(moved.value.status, 'declined')
const changes = await tool('list_changes', { since: cursor })
assert.deepEqual(changes.value.results.map(r => r.friendly_id), [placed.value.friendly_id, one.value.friendly_id])
const speakers = await tool('search_speakers', { query: 'Lovelace' })
assert.equal(speakers.value.results[0].name, 'Ada Lovelace')
const ada = await tool('get_speaker', { speaker_id: speakers.value.results[0].id })
assert.equal(ada.value.sessions[0].title, 'Queues that forget nothing')
const index = await tool('get_openapi')
assert.ok(index.value.operations.some(o => o.operationId === 'createSession'))
console.log(`get_openapi: an index of ${tokens(index.text)} tokens`)

const wrong = await call(client, 'get_submission', { submission_id: 'nobody' })
assert.ok(wrong.isError && wrong.value.status === 404 && wrong.value.hint.includes('list_submissions'), wrong.text)
await assert.rejects(call(client, 'delete_everything'), { code: -32602 })

const reader = await connect({ Authorization: `Bearer ${process.env.LECTERN_READER}` })
const refused = await call(reader, 'capture_abstract', { title: 'Mine' })
assert.ok(refused.isError && refused.value.hint.includes('write:sessions'), refused.text)

await reader.close()
await client.close()
console.log('all tools were used')
