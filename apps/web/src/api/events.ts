/** A server-sent event. Read with fetch because EventSource cannot send the token header. */
export interface ServerEvent {
  type: string
  data: string
}

/** Incremental parser: `feed` takes a chunk of text and returns the events it completes. */
export function createServerEventParser(): { feed(chunk: string): ServerEvent[] } {
  let rest = ''
  return {
    feed(chunk) {
      const blocks = (rest + chunk).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      return blocks.flatMap(parse)
    },
  }
}

function parse(block: string): ServerEvent[] {
  let type = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (line.startsWith('event:')) type = value
    if (line.startsWith('data:')) data.push(value)
  }
  return data.length > 0 ? [{ type, data: data.join('\n') }] : []
}
