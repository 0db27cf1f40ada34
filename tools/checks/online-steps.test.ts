import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeStep } from './online-steps.ts'

const judge = (text: string, more: Omit<Parameters<typeof judgeStep>[0], 'statements'> = {}) =>
  judgeStep({ statements: [text], ...more })

test('what only adds is online', () => {
  for (const text of [
    'create table a (id text primary key, b text not null references merchants (id)); create index a_b on a (b); revoke update, delete on a from coffer_app',
    `alter table payments add column a text, add column b numeric(78, 0) not null default 0 -- not a check
     , add column c text not null default 'a check, unique'`,
    'alter table payments set (fillfactor = 80)',
    'create function a() returns trigger language plpgsql as $$ begin delete from payments; return null; end $$',
    `insert into switches (name, value) values ('a', 'b; drop table c')`,
  ])
    assert.deepEqual(judge(text), [], text)
  const note = 'alter table payments add constraint note_short check (length(note) < 9) not valid'
  assert.deepEqual(judge(note, { fits: { note_short: 'they write none' } }), [])
  assert.deepEqual(
    judge('create trigger a after insert on payments for each row execute function a()', { fits: { a: 'b' } }),
    [],
  )
})

test('what older servers or writers cannot go on with is not', () => {
  const cases: [string, RegExp][] = [
    ['drop table payments', /drop table/],
    ['alter table payments drop column note', /drop column/],
    ['alter table payments rename column note to remark', /rename column/],
    ['alter table payments alter column note type bigint', /alter column note type/],
    ['alter table payments alter column note set not null', /set not null/],
    ['alter table payments add column a text not null', /a, which servers of the release before do not write/],
    ['alter table payments add column a int not null default 0 check (a > 0)', /checks all rows for a/],
    ['alter table payments add column a text references merchants (id)', /checks all rows for a/],
    ['alter table payments add column a int, add column b bigserial', /serial|b/],
    ['alter table payments add column a timestamptz default clock_timestamp()', /writes all rows for a/],
    ['alter table payments add constraint a check (note is null)', /"not valid"/],
    ['alter table payments add constraint a check (note is null) not valid', /adds a to what exists/],
    ['create index a on payments (note)', /a while writers wait/],
    ['create unique index a on payments (note)', /a while writers wait/],
    ['create trigger a after insert on payments for each row execute function a()', /adds a to what exists/],
    ['create or replace function ledger_post() returns void language sql as $$ select 1 $$', /adds ledger_post/],
    ['update payments set note = null', /update payments/],
    ['insert into refunds select * from payments', /insert into refunds/],
    ['revoke insert on payments from coffer_app', /revoke insert/],
    ['create table b (id text); revoke insert on b, payments from coffer_app', /revoke insert/],
    ['lock table payments', /lock table/],
    ['do $$ begin drop table payments; end $$', /do ''/],
    ['/* create table */ truncate payments', /truncate/],
  ]
  for (const [text, why] of cases) {
    const wrong = judge(text)
    assert.equal(wrong.length, 1, `${text}: ${wrong}`)
    assert.match(wrong[0]!, why, text)
  }
  const four = ['a', 'b', 'c', 'd'].map(name => `alter table ${name} add column x int`).join(';')
  assert.match(String(judge(four)), /locks a, b, c, d at once/)
  const unique = { kind: 'index', name: 'u', table: 'payments', definition: '(note)', isUnique: true } as const
  assert.match(String(judge('', { later: [unique] })), /adds u to what exists/)
  assert.deepEqual(judge('', { later: [{ ...unique, name: 'i', isUnique: undefined as never }] }), [])
})
