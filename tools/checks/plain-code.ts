import { Visitor } from 'vite'
import { trackedFiles } from './artefacts.ts'
import type { Check } from './check.ts'
import { type Parsed, parsedFile } from './parsed.ts'

/** Released migrations are not edited, nor is what the merchant's client is packed from between its versions. */
const isExempt = (path: string) => /\/generated\/|\/migrations\/steps\/|^packages\/sdk\/src\//.test(path)

/** Most lines of a function. */
const longest = 70

/** Rejects code that does not read well: long functions, values packed into a literal to save a line, wide comments. */
export const plainCode: Check = {
  name: 'plain code, functions of at most 70 lines, comments of at most 120 characters',
  complaints: root =>
    trackedFiles(root)
      .filter(path => /\.(ts|tsx|mjs)$/.test(path) && !isExempt(path))
      .flatMap(path => denseIn(path, parsedFile(root, path))),
}

interface Node {
  type: string
  start: number
  end: number
}

/** Whether a value names each of its parts. */
const isTuple = (node: Node | null) =>
  node?.type === 'ArrayExpression' &&
  (node as Node & { elements: (Node | null)[] }).elements.every(each => each?.type !== 'SpreadElement')

const isLiteral = ({ type }: Node) => type === 'ObjectExpression' || type === 'ArrayExpression'

/** An address, or the reason of an ignored rule, cannot be wrapped. */
const isWide = (line: string) => [...line].length > 120 && !/https?:\/\/|biome-ignore/.test(line)

/** Returns the complaints about a file. */
export function denseIn(path: string, { text, tree }: Parsed): string[] {
  const found: string[] = []
  const add = ({ start }: Node, complaint: string) =>
    found.push(`${path}:${text.slice(0, start).split('\n').length} ${complaint}`)
  const pair = (node: Node, left: Node, right: Node | null) => {
    if (left.type === 'ArrayPattern' && isTuple(right))
      add(node, 'gives several names values in one tuple: write a line for each')
  }
  const { program, comments } = tree
  const { functions, groups } = functionsIn(program)
  const linesOf = ({ start, end }: Node) => text.slice(start, end).split('\n').length
  for (const each of functions) {
    const grouped = groups.filter(group => each.start <= group.start && group.end <= each.end)
    const lines = linesOf(each) - grouped.reduce((sum, group) => sum + linesOf(group) - 1, 0)
    if (lines > longest) add(each, `has a function of ${lines} lines, at most ${longest}: name its steps`)
  }
  for (const { start, end } of comments) {
    const first = text.lastIndexOf('\n', start) + 1
    const wide = text.slice(first, end).split('\n').findIndex(isWide)
    const at = text.slice(0, start).split('\n').length + wide
    if (wide >= 0) found.push(`${path}:${at} has a comment of more than 120 characters: wrap it`)
  }
  new Visitor({
    SpreadElement(node) {
      if (isLiteral(node.argument)) add(node, 'spreads a literal: write its parts where it stands')
    },
    VariableDeclarator: node => pair(node, node.id, node.init),
    AssignmentExpression: node => pair(node, node.left, node.right),
  }).visit(program)
  return found
}

/** Returns the functions of a program, and apart from them those that only group tests. */
function functionsIn(program: Parsed['tree']['program']): { functions: Node[]; groups: Node[] } {
  const functions: Node[] = []
  const groups: Node[] = []
  const add = (node: Node) => {
    if (!groups.includes(node)) functions.push(node)
  }
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'Identifier' || !/^(?:describe|suite)$/.test(callee.name)) return
      groups.push(...given.filter(each => /Function/.test(each.type)))
    },
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program)
  return { functions, groups }
}
