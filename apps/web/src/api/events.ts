/** Server-sent events, read from a fetch so that the token can travel in a header. */
export interface ServerEvent {
  type: string
  data: string
}

/** Cuts a stream of text into events. `feed` takes what came and gives the events that are complete. */
export function eventReader(): { feed(chunk: string): ServerEvent[] } {
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
