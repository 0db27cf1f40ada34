import { writeFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'

type Value = string | number | Value[] | { [key: string]: Value | undefined }

/** Encodes a value in the data format of MaxMind DB 2.0: text, unsigned 32-bit numbers, arrays and maps. */
function encode(value: Value): Buffer {
  // Lengths from 29 to 284 have a byte of their own; types above 7 are extended.
  const head = (type: number, size: number) =>
    Buffer.from([
      ((type > 7 ? 0 : type) << 5) | Math.min(size, 29),
      ...(type > 7 ? [type - 7] : []),
      ...(size < 29 ? [] : [size - 29]),
    ])
  if (typeof value === 'string') return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    head(7, entries.length),
    ...entries.flatMap(([key, each]) => [encode(key), encode(each ?? '')]),
  ])
}

/** Writes a file in the MaxMind DB format with a record for each address, and for nothing else. */
export function writePlacesFile(path: string, records: Record<string, Value>, ipVersion: 4 | 6 = 6): void {
  const nodes: [number, number][] = [[-1, -1]]
  const data: Buffer[] = []
  for (const [ip, record] of Object.entries(records)) {
    const bytes = ipaddr.parse(ip).toByteArray()
    const bits = [...(bytes.length * 8 < (ipVersion === 6 ? 128 : 32) ? Array(12).fill(0) : []), ...bytes]
      .map(byte => byte.toString(2).padStart(8, '0'))
      .join('')
    let at = 0
    for (const [depth, bit] of [...bits].map(Number).entries()) {
      const side = bit as 0 | 1
      if (depth === bits.length - 1) nodes[at]![side] = -2 - Buffer.concat(data).length
      else {
        if (nodes[at]![side] === -1) nodes[at]![side] = nodes.push([-1, -1]) - 1
        at = nodes[at]![side]
      }
    }
    data.push(encode(record))
  }
  // A record is a node, the number of nodes for "unknown", or beyond it and the separator an offset in the data.
  const resolved = (to: number) => (to >= 0 ? to : to === -1 ? nodes.length : nodes.length + 16 + (-2 - to))
  const tree = nodes.flat().map(to => Buffer.from([resolved(to) >> 16, resolved(to) >> 8, resolved(to)]))
  const about = {
    node_count: nodes.length,
    record_size: 24,
    ip_version: ipVersion,
    database_type: 'Test-City',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_748_858_400,
  }
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')])
  writeFileSync(path, Buffer.concat([...tree, Buffer.alloc(16), ...data, marker, encode(about)]))
}

const berlin = {
  country: { names: { en: 'Germany', 'zh-CN': '德国' } },
  city: { names: { en: 'Berlin', 'zh-CN': '柏林' } },
}
/** Records for tests: a city, a country alone, a city state, and a city without a Chinese name. */
export const placeRecords = {
  '192.0.2.7': berlin,
  '2001:db8::7': berlin,
  '192.0.2.8': { country: { names: { en: 'Japan', 'zh-CN': '日本' } } },
  '192.0.2.9': {
    country: { names: { en: 'Singapore', 'zh-CN': '新加坡' } },
    city: { names: { en: 'Singapore', 'zh-CN': '新加坡' } },
  },
  '192.0.2.10': { country: berlin.country, city: { names: { en: 'Teltow' } } },
  '192.0.2.11': { continent: { code: 'EU' } },
}
