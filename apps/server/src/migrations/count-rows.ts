import { type Kysely, sql } from 'kysely'

/** A list of a merchant, newest first, and the text columns by which its rows are grouped and filtered. */
export interface CountedTable {
  name: string
  table: string
  /** Three expressions on a row. */
  groups: readonly [string, string, string]
  /** Column of the time (Unix seconds) of a row; by default `created_at`. */
  time?: string
  /** Rows of the list; all by default. */
  where?: string
  /** Counts the rows of all merchants together, for operators, as those of `nobody`. */
  everyone?: boolean
}

/** Slot sizes of the counts, in seconds. */
const spans = [60, 3600, 86400, 2592000]

/** Makes the triggers that count a list's rows for `countedList` of the kit, and counts the rows that exist already. */
export async function countRows(db: Kysely<unknown>, list: CountedTable): Promise<void> {
  await sql.raw(triggers(list)).execute(db)
  await sql.raw(firstCounts(list)).execute(db)
}

/**
 * Replaces how a list's rows are grouped from now on. Rows that exist must stay in the groups that they are counted in.
 */
export const replaceCounter = (db: Kysely<unknown>, list: CountedTable): Promise<unknown> =>
  sql.raw(counterOf(list)).execute(db)

const ownerOf = (everyone: boolean | undefined) => (everyone ? `''::text` : 'merchant_id')

const counterName = ({ table, everyone }: CountedTable) => `count_${everyone ? 'any_' : ''}${table}`

/** Adds what a statement changed to the inbox: nothing when the groups of its rows stay the same. */
function counterOf(list: CountedTable): string {
  const {
    name,
    groups: [a, b, c],
    time = 'created_at',
    where = 'true',
    everyone,
  } = list
  const rows = (of: 'added' | 'removed') =>
    `select ${ownerOf(everyone)} as merchant_id, ${time} - ${time} % ${spans[0]} as slot, ${a} as a, ${b} as b, ${c} as c,
       ${of === 'added' ? 1 : -1} as n from ${of} where ${where}`
  const add = (changed: string) =>
    `insert into list_changes (merchant_id, list, slot, a, b, c, n)
     select merchant_id, '${name}', slot, a, b, c, sum(n) from (${changed}) changed
     group by merchant_id, slot, a, b, c having sum(n) <> 0`
  return `
    create or replace function ${counterName(list)}() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      case tg_op
        when 'INSERT' then ${add(rows('added'))};
        when 'DELETE' then ${add(rows('removed'))};
        else ${add(`${rows('added')} union all ${rows('removed')}`)};
      end case;
      return null;
    end $$;`
}

function triggers(list: CountedTable): string {
  const { table, everyone } = list
  const counter = counterName(list)
  const trigger = `${table}${everyone ? '_any' : ''}`
  return `${counterOf(list)}
    create trigger ${trigger}_added after insert on ${table} referencing new table as added
      for each statement execute function ${counter}();
    create trigger ${trigger}_removed after delete on ${table} referencing old table as removed
      for each statement execute function ${counter}();
    create trigger ${trigger}_changed after update on ${table} referencing new table as added old table as removed
      for each statement execute function ${counter}();`
}

/** Counts the rows that exist already. */
export const firstCounts = ({
  name,
  table,
  groups: [a, b, c],
  time = 'created_at',
  where = 'true',
  everyone,
}: CountedTable) => `
  insert into list_counts (merchant_id, list, span, slot, a, b, c, n)
  select ${ownerOf(everyone)}, '${name}', span, ${time} - ${time} % span, ${a}, ${b}, ${c}, count(*)
  from ${table} cross join unnest(array[${spans.join(', ')}]) as span
  where ${where} group by 1, 2, 3, 4, 5, 6, 7`
