import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errors, type Language, languageList, paymentStatus, routes } from '@coffer/contract'
import fastify from 'fastify'
import { makeTestDeps } from '../../testing/deps.ts'
import { answerError } from '../errors.ts'
import { buildBrunoCollection } from './bruno.ts'
import { firstOrderExample, newOrderExample } from './examples.ts'
import type { OpenApiDocument } from './fields.ts'
import { readGuide } from './languages.ts'
import { parseGuideSections } from './markdown.ts'
import { mountDocs } from './mount.ts'
import { buildOpenApiDocument } from './openapi.ts'
import { type DocumentedKey, listOperationErrors, operations } from './operations.ts'
import { docsPage } from './page.ts'
import type { JsonObject } from './schemas.ts'

const publicUrl = 'https://pay.example'
type Verify = (secret: string, headers: Record<string, string>, body: string) => unknown
const { verify } = (await import(new URL('./verify/verify.mjs', import.meta.url).href)) as { verify: Verify }
const keys = (Object.keys(operations) as DocumentedKey[]).filter(key => routes[key].auth === 'key')
const pages = { en: docsPage(publicUrl, 'en'), zh: docsPage(publicUrl, 'zh-CN') }

test('both languages have the same sections, and all calls, errors and objects', () => {
  const ids = (page: string) => [...page.matchAll(/<h[234] id="([^"]+)"/g)].map(match => match[1])
  assert.deepEqual(ids(pages.en), ids(pages.zh))
  assert.equal(new Set(ids(pages.en)).size, ids(pages.en).length)
  for (const page of Object.values(pages)) {
    for (const { id } of Object.values(operations)) assert.ok(ids(page).includes(id), id)
    const listed = page.match(/<h2 id="errors">.*?<\/table>/s)![0]
    const codes = [...listed.matchAll(/<tr><td><code>(\d+)<\/code>/g)].map(match => Number(match[1]))
    assert.deepEqual(
      codes,
      [...codes].sort((a, b) => a - b),
    )
    for (const name of keys.flatMap(listOperationErrors)) assert.ok(codes.includes(errors[name].code), name)
    assert.ok(!codes.includes(errors.passkey_error.code))
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(page.includes(`id="${target}"`), `#${target}`)
    assert.ok(page.includes(`curl ${publicUrl}/api/v1/pay/orders`))
    assert.ok(page.includes(firstOrderExample.out_trade_no))
  }
})

test('both languages list all statuses of the contract', () => {
  for (const language of languageList) {
    const listed = [...readGuide(language).matchAll(/^\| `(\d)` /gm)].map(match => Number(match[1]))
    assert.deepEqual(listed, Object.values(paymentStatus), language)
  }
})

test('machines read every section as markdown, and every link in it leads somewhere', async t => {
  const app = fastify()
  t.after(() => app.close())
  app.setErrorHandler(answerError)
  mountDocs(app, makeTestDeps({ pool: undefined as never, config: { publicUrl } }))
  for (const language of languageList) {
    const index = (await app.inject(`/llms.txt?lang=${language}`)).body
    const links = [...index.matchAll(/\]\(https:\/\/pay\.example(\/docs\/[^)]+)\)/g)].map(([, path]) => path!)
    assert.equal(links.length, parseGuideSections(readGuide(language)).length)
    const texts = await Promise.all(links.map(async path => (await app.inject(path)).body))
    for (const text of texts) {
      assert.match(text, /^# \S/)
      assert.doesNotMatch(text, /\{\{[a-z]+\}\}|<details|undefined/)
      for (const [, path] of text.matchAll(/\]\(https:\/\/pay\.example(\/docs[^)]*)\)/g))
        assert.equal((await app.inject(path!)).statusCode, 200, path)
    }
    const whole = (await app.inject(`/docs.md?lang=${language}`)).body
    assert.equal(whole, texts.join('\n'))
    assert.ok(whole.includes('`POST /api/v1/pay/orders`') && whole.includes('`rate.price`'))
  }
  assert.equal((await app.inject('/docs/none.md')).statusCode, 404)
})

test('the collection for Bruno has every call, with its example and without a key', () => {
  const { items, environments } = buildBrunoCollection(
    buildOpenApiDocument(publicUrl) as unknown as OpenApiDocument,
    publicUrl,
  ) as {
    items: { name: string; items: { name: string; request: { url: string; body: { json?: string } } }[] }[]
    environments: { variables: { name: string; value: string; secret: boolean }[] }[]
  }
  const calls = items.flatMap(folder => folder.items)
  assert.deepEqual(
    calls.map(({ name }) => name).sort(),
    Object.values(operations)
      .map(({ id }) => id)
      .sort(),
  )
  const create = calls.find(({ name }) => name === 'createOrder')!.request
  assert.deepEqual([create.url, JSON.parse(create.body.json!)], ['{{url}}/api/v1/pay/orders', newOrderExample])
  const [{ variables }] = environments as [{ variables: { name: string; value: string; secret: boolean }[] }]
  assert.deepEqual(
    variables.map(({ name, value, secret }) => [name, value, secret]),
    [
      ['url', publicUrl, false],
      ['key', '', true],
    ],
  )
})

test('the page has no inline scripts or styles', () => {
  for (const page of Object.values(pages)) {
    assert.deepEqual([...page.matchAll(/<script(?! src="\/docs\/docs\.js")/g)], [])
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=/)
  }
})

test('every field is described in both languages', () => {
  const describedIn = (language: Language) => {
    const found = new Map<string, string>()
    const collect = (at: string, part: unknown) => {
      if (typeof part !== 'object' || part === null) return
      const { properties, parameters } = part as { properties?: Record<string, JsonObject>; parameters?: JsonObject[] }
      const fields = [...Object.entries(properties ?? {}), ...(parameters ?? []).entries()]
      for (const [name, { description }] of fields)
        if (description !== undefined) found.set(`${at}/${name}`, String(description))
      for (const [name, inner] of Object.entries(part)) collect(`${at}/${name}`, inner)
    }
    const { components, paths } = buildOpenApiDocument(publicUrl, language) as unknown as OpenApiDocument
    collect('', { components, paths })
    return found
  }
  const en = describedIn('en')
  const zh = describedIn('zh-CN')
  assert.ok(en.size > 350)
  assert.deepEqual([...zh.keys()], [...en.keys()])
  const chinese = /\p{Script=Han}/u
  const envelope = /\/(?:code|data)$/
  assert.deepEqual(
    [...zh].filter(([at, text]) => !chinese.test(text) && !envelope.test(at)),
    [],
  )
  assert.deepEqual(
    [...en].filter(([, text]) => chinese.test(text)),
    [],
  )
})

test('the example for Node.js verifies signatures', () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const headersAt = (seconds: number, body: string) => {
    const time = String(Math.floor(Date.now() / 1000) + seconds)
    const signature = createHmac('sha256', Buffer.alloc(24, 7)).update(`id.${time}.${body}`).digest('base64')
    return { 'webhook-id': 'id', 'webhook-timestamp': time, 'webhook-signature': `v1,AAAA v1,${signature}` }
  }
  assert.deepEqual(verify(secret, headersAt(0, '{"a":1}'), '{"a":1}'), { a: 1 })
  assert.throws(() => verify(secret, headersAt(0, '{"a":1}'), '{"a":2}'), /invalid signature/)
  assert.throws(() => verify(secret, headersAt(-301, '{}'), '{}'), /outside the tolerance/)
  assert.throws(() => verify(secret, {}, '{}'), /outside the tolerance|invalid/)
})

test('serves every packed version of the client, and leads from the short name to the newest', async t => {
  const app = fastify()
  t.after(() => app.close())
  mountDocs(app, makeTestDeps({ pool: undefined as never, config: { publicUrl } }))
  const short = await app.inject('/docs/coffer-sdk.tgz')
  assert.equal(short.statusCode, 302)
  const packed = new URL('../../../../../packages/sdk/packed/', import.meta.url)
  const names = readdirSync(packed)
  assert.ok(names.includes(String(short.headers.location).replace('/docs/', '')))
  for (const name of names) {
    const { rawPayload } = await app.inject(`/docs/${name}`)
    assert.ok(rawPayload.equals(readFileSync(new URL(name, packed))), name)
  }
  for (const page of Object.values(pages)) assert.ok(page.includes(`npm install ${publicUrl}${short.headers.location}`))
})

test('serves the page in the requested language, with a strict content security policy', async t => {
  const app = fastify()
  t.after(() => app.close())
  mountDocs(app, makeTestDeps({ pool: undefined as never, config: { publicUrl } }))
  const page = (url: string, language = 'en') => app.inject({ url, headers: { 'accept-language': language } })
  assert.match((await page('/docs')).body, /<html lang="en">/)
  assert.match((await page('/docs', 'zh-CN,zh;q=0.9')).body, /<html lang="zh-CN">/)
  assert.match((await page('/docs?lang=en-US', 'zh-CN')).body, /<html lang="en">/)
  assert.match(
    String((await page('/docs')).headers['content-security-policy']),
    /^default-src 'none';.*script-src 'self'/,
  )
  for (const [url, type] of [
    ['/docs/docs.css', 'text/css'],
    ['/docs/parts.css', 'text/css'],
    ['/docs/docs.js', 'text/javascript'],
    ['/docs/inter.woff2', 'font/woff2'],
    ['/api/v1/openapi.json', 'application/json'],
    ['/docs/bruno.json', 'application/json'],
    ['/docs.md', 'text/markdown'],
    ['/docs/create.md', 'text/markdown'],
    ['/llms.txt', 'text/plain'],
  ] as const) {
    const response = await app.inject(url)
    assert.equal(response.statusCode, 200, url)
    assert.ok(String(response.headers['content-type']).startsWith(type), url)
  }
})
