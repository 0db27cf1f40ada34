/** A node of a parsed query (`pg_node_tree`): its kind, such as VAR, and its fields. */
export type Node = { kind: string; [field: string]: Value }
/** A node, a list or a plain token; `<>` is null. */
export type Value = Node | Value[] | string

const tokens = /[(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}"\\])+/g

/** Parses the text form of a `pg_node_tree`. */
export function parseNodeTree(text: string): Value {
  const queue = text.match(tokens)?.values() ?? [].values()
  let next = queue.next().value
  const take = () => {
    const token = next
    if (token === undefined) throw new Error('unexpected end of a node tree')
    next = queue.next().value
    return token
  }
  const read = (): Value => {
    const token = take()
    if (token === '(') {
      const list: Value[] = []
      while (next !== ')') list.push(read())
      take()
      return list
    }
    if (token !== '{') return token.startsWith('"') ? token.slice(1, -1) : token
    const node: Node = { kind: take() }
    while (next !== '}') {
      const field = take().slice(1)
      node[field] = read()
      // Skips the value of a constant: its length and bytes.
      while (next !== '}' && !next?.startsWith(':')) read()
    }
    take()
    return node
  }
  return read()
}
