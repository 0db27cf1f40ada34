import type { Node, Value } from './node-tree.ts'

/** Catalogue objects that node trees refer to by number. */
export type Catalogue = {
  /** Columns of tables by `<oid of the table> <attribute number>`. */
  columns: Map<string, { table: string; column: string; notNull: boolean }>
  /** Names of functions and operators by their oid. */
  functions: Map<string, string>
  operators: Map<string, string>
}

/** A column of the result. `origin` is the table column that it returns unchanged, such as `payments.status`. */
export type Column = { name: string; nullable: boolean; origin: string | undefined }
/** A parameter. `name` and `origin` are those of the column that it is compared with or written to. */
export type Parameter = { name: string | undefined; nullable: boolean; origin: string | undefined }

/** Use of a parameter: tested for null, written to a nullable column, or any other. */
type Use = 'tested' | 'written' | 'needed'
type Scope = { query: Node; outer: Scope | undefined }

/** Operators and functions that return null only for a null argument. */
const total = new Set('= <> < <= > >= + - * / % || ~~ lower regexp_replace width_bucket'.split(' '))
const casts = new Set(['RELABELTYPE', 'COERCEVIAIO', 'COERCETODOMAIN', 'ARRAYCOERCEEXPR'])

const choicesOf = (choice: Node) => [...listOf(choice.args).map(each => each.result), choice.defresult]
const columnOf = (origin: string | undefined) => origin?.split('.')[1]
/** Kinds of subqueries in an expression. */
const link = { exists: '0', value: '4', array: '6' }
const isNode = (value: Value | undefined): value is Node => typeof value === 'object' && !Array.isArray(value)
const listOf = (value: Value | undefined) => (Array.isArray(value) ? value : []) as Node[]

/** Derives columns and parameters from a parsed statement. */
export class ParsedQuery {
  readonly #catalogue: Catalogue
  readonly #top: Scope

  /** Takes the QUERY node of a statement. */
  constructor(query: Node, catalogue: Catalogue) {
    this.#top = { query, outer: undefined }
    this.#catalogue = catalogue
  }

  /** Columns of the result, in order. */
  columns(): Column[] {
    return outputs(this.#top.query).map((entry, index) => ({
      name: entry.resname as string,
      nullable: this.#columnIsNullable(this.#top, index + 1),
      origin: this.#outputOrigin(this.#top, index + 1),
    }))
  }

  /** Parameters in order. A parameter is nullable if it is tested for null or only written to nullable columns. */
  parameters(count: number): Parameter[] {
    const uses = Array.from({ length: count }, () => ({
      names: [] as string[],
      origins: [] as string[],
      as: new Set<Use>(),
    }))
    const recordUse = (expression: Value | undefined, scope: Scope, as: Use, name?: string, origin?: string) => {
      const { node } = this.#resolve(expression, scope)
      if (node?.kind === 'CASEEXPR') for (const each of choicesOf(node)) recordUse(each, scope, as, name, origin)
      if (node?.kind !== 'PARAM') return
      const use = uses[Number(node.paramid) - 1]!
      use.as.add(as)
      if (origin) use.origins.push(origin)
      if (name) use.names.push(name)
    }
    this.#visit(this.#top.query, this.#top, (node, scope) => {
      const args = listOf(node.args)
      if (node.kind === 'NULLTEST') recordUse(node.arg, scope, 'tested')
      if (node.kind === 'COALESCEEXPR') for (const each of args.slice(0, -1)) recordUse(each, scope, 'tested')
      if (node.kind === 'DISTINCTEXPR') for (const each of args) recordUse(each, scope, 'tested')
      if (node.kind === 'OPEXPR' || node.kind === 'SCALARARRAYOPEXPR')
        for (const [index, each] of args.entries()) {
          const origin = this.#originOf(args[1 - index], scope)
          recordUse(each, scope, 'needed', columnOf(origin), origin)
        }
      if (node.kind !== 'QUERY') return
      recordUse(node.limitCount, scope, 'needed', 'limit')
      recordUse(node.limitOffset, scope, 'needed', 'offset')
      const target = listOf(node.rtable)[Number(node.resultRelation) - 1]
      const conflict = isNode(node.onConflict) ? listOf(node.onConflict.onConflictSet) : []
      for (const entry of target ? [...listOf(node.targetList), ...conflict] : []) {
        const origin = this.#named(target?.relid, entry.resno)
        const use = this.#catalogue.columns.get(`${target?.relid} ${entry.resno}`)?.notNull ? 'needed' : 'written'
        recordUse(entry.expr, scope, use, columnOf(origin), origin)
      }
    })
    return uses.map(({ names: [name], origins: [origin], as }) => ({
      name,
      origin,
      nullable: as.has('tested') || (as.has('written') && !as.has('needed')),
    }))
  }

  #named(table: Value | undefined, place: Value | undefined): string | undefined {
    const column = this.#catalogue.columns.get(`${table} ${place}`)
    return column && `${column.table}.${column.column}`
  }

  /** The table column that a result column returns unchanged; in a union, all branches must agree. */
  #outputOrigin(scope: Scope, place: number): string | undefined {
    const parts = partsOf(scope)
    if (parts.length > 1) {
      const [first, ...others] = parts.map(part => this.#outputOrigin(part, place))
      return others.every(each => each === first) ? first : undefined
    }
    const entry = outputs(scope.query)[place - 1]
    const node = entry?.expr
    if (!isNode(node)) return undefined
    if (node.kind === 'SUBLINK' && node.subLinkType === link.value)
      return this.#outputOrigin({ query: node.subselect as Node, outer: scope }, 1)
    const at = scopeOf(node, scope)
    const subquery = node.kind === 'VAR' ? listOf(at.query.rtable)[Number(node.varno) - 1]?.subquery : undefined
    if (isNode(subquery)) return this.#outputOrigin({ query: subquery, outer: at }, Number(node.varattno))
    return this.#named(entry?.resorigtbl, entry?.resorigcol)
  }

  /** The table column that an expression refers to, if any. */
  #originOf(expression: Value | undefined, scope: Scope): string | undefined {
    const { node, scope: at } = this.#resolve(expression, scope)
    if (node?.kind !== 'VAR') return undefined
    const entry = listOf(at.query.rtable)[Number(node.varno) - 1]
    return this.#named(entry?.relid, node.varattno)
  }

  /** Removes casts and follows columns of subqueries to their expressions. */
  #resolve(expression: Value | undefined, scope: Scope): { node: Node | undefined; scope: Scope } {
    if (!isNode(expression)) return { node: undefined, scope }
    if (casts.has(expression.kind)) return this.#resolve(expression.arg, scope)
    if (expression.kind === 'FUNCEXPR' && expression.funcformat !== '0')
      return this.#resolve(listOf(expression.args)[0], scope)
    if (expression.kind !== 'VAR') return { node: expression, scope }
    const at = scopeOf(expression, scope)
    const entry = listOf(at.query.rtable)[Number(expression.varno) - 1]
    if (!isNode(entry?.subquery) || entry.subquery.setOperations !== '<>') return { node: expression, scope: at }
    const output = outputs(entry.subquery)[Number(expression.varattno) - 1]
    return this.#resolve(output?.expr, { query: entry.subquery, outer: at })
  }

  #visit(value: Value | undefined, scope: Scope, see: (node: Node, scope: Scope) => void): void {
    if (Array.isArray(value)) for (const each of value) this.#visit(each, scope, see)
    if (!isNode(value)) return
    const inside = value.kind === 'QUERY' && value !== scope.query ? { query: value, outer: scope } : scope
    see(value, inside)
    for (const field of Object.values(value)) this.#visit(field, inside, see)
  }

  #columnIsNullable(scope: Scope, place: number): boolean {
    const parts = partsOf(scope)
    if (parts.length > 1) return parts.some(part => this.#columnIsNullable(part, place))
    return this.#isNullable(outputs(scope.query)[place - 1]?.expr, scope)
  }

  #isNullable(expression: Value | undefined, scope: Scope): boolean {
    if (!isNode(expression)) return true
    const node = expression
    const args = listOf(node.args)
    const nullable = (each: Value | undefined) => this.#isNullable(each, scope)
    switch (node.kind) {
      case 'VAR':
        return this.#variableIsNullable(node, scopeOf(node, scope))
      case 'CONST':
        return node.constisnull === 'true'
      case 'AGGREF': {
        const name = this.#catalogue.functions.get(node.aggfnoid as string) ?? ''
        if (name === 'count') return false
        const sure = listOf(scope.query.groupClause).length > 0 && node.aggfilter === '<>'
        return !sure || (!/^(json|array)/.test(name) && args.some(each => nullable(each.expr)))
      }
      case 'WINDOWFUNC':
        return this.#catalogue.functions.get(node.winfnoid as string) !== 'row_number'
      case 'COALESCEEXPR':
      case 'MINMAXEXPR':
        return args.every(nullable)
      case 'OPEXPR':
        return !total.has(this.#catalogue.operators.get(node.opno as string) ?? '') || args.some(nullable)
      case 'FUNCEXPR':
        return (
          (node.funcformat === '0' && !total.has(this.#catalogue.functions.get(node.funcid as string) ?? '')) ||
          args.some(nullable)
        )
      case 'BOOLEXPR':
      case 'SCALARARRAYOPEXPR':
        return args.some(nullable)
      case 'CASEEXPR':
        return choicesOf(node).some(nullable)
      case 'SUBLINK':
        return this.#sublinkIsNullable(node, scope)
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ARRAYEXPR':
        return false
      default:
        return !casts.has(node.kind) || nullable(node.arg)
    }
  }

  #sublinkIsNullable({ subLinkType, subselect }: Node, scope: Scope): boolean {
    if (subLinkType === link.exists || subLinkType === link.array) return false
    const query = subselect as Node
    const isOneRow = query.hasAggs === 'true' && query.groupClause === '<>' && query.havingQual === '<>'
    return subLinkType !== link.value || !isOneRow || this.#columnIsNullable({ query, outer: scope }, 1)
  }

  /** Reports whether a variable can be null, because of an outer join or of the column that it refers to. */
  #variableIsNullable(node: Node, scope: Scope): boolean {
    if (listOf(node.varnullingrels).length > 1) return true
    const entry = listOf(scope.query.rtable)[Number(node.varno) - 1]
    const place = Number(node.varattno)
    const relation = '0'
    const subquery = '1'
    const join = '2'
    const cte = '6'
    const group = '9'
    switch (entry?.rtekind) {
      case relation:
        return !this.#catalogue.columns.get(`${entry.relid} ${place}`)?.notNull
      case subquery:
        return this.#columnIsNullable({ query: entry.subquery as Node, outer: scope }, place)
      case join:
        return this.#isNullable(listOf(entry.joinaliasvars)[place - 1], scope)
      case group:
        return this.#isNullable(listOf(entry.groupexprs)[place - 1], scope)
      case cte: {
        const owner = up(scope, Number(entry.ctelevelsup))
        const query = listOf(owner.query.cteList).find(each => each.ctename === entry.ctename)?.ctequery as Node
        return this.#columnIsNullable({ query, outer: owner }, place)
      }
      default:
        return true
    }
  }
}

/** Returns the branches of a union, or the query itself. */
function partsOf(scope: Scope): Scope[] {
  const leaves = ({ kind, rtindex, larg, rarg }: Node): Scope[] =>
    kind === 'RANGETBLREF'
      ? [{ query: listOf(scope.query.rtable)[Number(rtindex) - 1]?.subquery as Node, outer: scope }]
      : [...leaves(larg as Node), ...leaves(rarg as Node)]
  return isNode(scope.query.setOperations) ? leaves(scope.query.setOperations) : [scope]
}

/** Output columns of a query, without those used only for sorting. */
const outputs = (query: Node) =>
  listOf(query.commandType === '1' ? query.targetList : query.returningList).filter(each => each.resjunk === 'false')

const up = (scope: Scope, levels: number): Scope => (levels > 0 && scope.outer ? up(scope.outer, levels - 1) : scope)
const scopeOf = (variable: Node, scope: Scope) => up(scope, Number(variable.varlevelsup ?? 0))
