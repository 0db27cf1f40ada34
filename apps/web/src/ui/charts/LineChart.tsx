import { type KeyboardEvent, type PointerEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { computeAxisTicks } from './marks.ts'

export interface Series {
  key: string
  name: string
  /** Decimal strings, one per label. */
  values: readonly string[]
  /** Defaults to the theme colour for the first series and dark ink for the second. */
  colour?: string
}

interface Props {
  /** For screen readers. */
  caption: string
  /** Short axis labels, one per point. */
  labels: readonly string[]
  /** Header of the label column in the screen-reader table: "Date". */
  labelName: string
  series: readonly Series[]
  /** Formats values in the tooltip and on the axis. */
  format(value: string): string
  height?: number
  /** Fills the area under the first series. */
  filled?: boolean
  /** Says that the last point is not over yet, as today's: its line is dashed and has no area. */
  unfinished?: string | false
}

/** Right margin: room for half a point. */
const margin = { top: 12, right: 6, bottom: 28, left: 8 }
/** The last label ends at its point, so the label before it needs more distance. */
const labelRoomPx = 84
const axisTextPx = 7
const tickCount = 4
const colours = ['var(--theme)', 'var(--ink-3)', 'var(--part-3)']
const dashes = '3 4'

/** A line chart over time. Arrow keys move along the points; screen readers get a table. */
export function LineChart({ caption, labels, labelName, series, format, height = 260, filled, unfinished }: Props) {
  const t = useMessages('desktop')
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const numbers = series.map(each => each.values.map(Number))
  const plot = plotOf(numbers, labels.length, { width, height }, format)
  const last = labels.length - 1
  const { active, clear, ...moves } = useActive(last, event => plot.nearest(leftIn(box.current, event)))
  /** The number of points that are over. */
  const over = unfinished && last > 0 ? last : labels.length
  const coloured = series.map((each, index) => ({ ...each, colour: each.colour ?? colours[index % colours.length]! }))
  return (
    <figure className="min-w-0">
      <Legend series={coloured} />
      {/* biome-ignore lint/a11y/useSemanticElements: no element stands for a chart with arrow-key navigation */}
      <div
        ref={box}
        role="group"
        aria-label={caption}
        aria-describedby={`${id}-help`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move along the points
        tabIndex={0}
        {...moves}
        onBlur={clear}
        onPointerLeave={clear}
        style={{ height }}
        className="relative rounded-sm"
      >
        <span id={`${id}-help`} className="sr-only">
          {t.chartHelp}
        </span>
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible">
            <Axes plot={plot} labels={labels} format={format} />
            {filled && numbers[0] && (
              <path d={plot.area(numbers[0].slice(0, over))} fill={coloured[0]?.colour} opacity={0.1} />
            )}
            {active !== null && (
              <line
                {...plot.column(active)}
                y1={margin.top}
                y2={height - margin.bottom}
                className="stroke-line-strong"
              />
            )}
            <Curves plot={plot} series={coloured} over={over} active={active} />
          </svg>
        )}
        {active !== null && (
          <Values
            side={plot.x(active) > width / 2 ? { right: width - plot.x(active) + 12 } : { left: plot.x(active) + 12 }}
            label={`${labels[active]}${over === active ? ` · ${unfinished}` : ''}`}
            rows={coloured.map(each => ({ ...each, value: format(each.values[active] ?? '0') }))}
          />
        )}
      </div>
      <DataTable
        caption={caption}
        head={[labelName, ...series.map(each => each.name)]}
        rows={labels.map((label, index) => [label, ...series.map(each => format(each.values[index] ?? '0'))])}
      />
    </figure>
  )
}

interface Size {
  width: number
  height: number
}

/** Where values and points stand in a drawing of that size (px). */
function plotOf(
  numbers: readonly number[][],
  count: number,
  { width, height }: Size,
  format: (value: string) => string,
) {
  const round = computeAxisTicks(Math.max(1, ...numbers.flat()), tickCount)
  const highest = round.at(-1) ?? 1
  const y = (value: number) => height - margin.bottom - (value / highest) * (height - margin.bottom - margin.top)
  const whole = numbers.flat().every(Number.isInteger)
  const marks = round.filter(tick => !whole || Number.isInteger(tick))
  const axis = margin.left + Math.max(...marks.map(tick => format(String(tick)).length)) * axisTextPx
  const inner = Math.max(0, width - axis - margin.right)
  const x = (index: number) => axis + (count < 2 ? inner / 2 : (inner * index) / (count - 1))
  // Straight between values, as nothing is known of what was between.
  const path = (values: readonly number[]) => `M${values.map((value, index) => `${x(index)},${y(value)}`).join('L')}`
  return {
    width,
    height,
    axis,
    /** The values with a line across. */
    marks,
    /** One in so many labels has room. */
    every: Math.max(1, Math.ceil(count / Math.max(1, Math.floor(inner / labelRoomPx)))),
    x,
    y,
    path,
    area: (values: readonly number[]) => `${path(values)}L${x(values.length - 1)},${y(0)}L${x(0)},${y(0)}Z`,
    column: (index: number) => ({ x1: x(index), x2: x(index) }),
    /** The index of the point next to a place. */
    nearest: (left: number) => Math.round((inner === 0 ? 0 : (left - axis) / inner) * (count - 1)),
  }
}

type Plot = ReturnType<typeof plotOf>

const leftIn = (box: Element | null, { clientX }: PointerEvent) => clientX - (box?.getBoundingClientRect().left ?? 0)

/** The index of the point whose values are shown, which pointer and arrow keys move. */
function useActive(last: number, pointed: (event: PointerEvent) => number) {
  const [active, setActive] = useState<number | null>(null)
  const move = (index: number) => setActive(Math.max(0, Math.min(last, index)))
  return {
    active,
    clear: () => setActive(null),
    onPointerMove: (event: PointerEvent) => move(pointed(event)),
    onKeyDown: (event: KeyboardEvent) => {
      const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -last - 1, End: last + 1 }
      const step = steps[event.key]
      if (event.key === 'Escape') setActive(null)
      if (step === undefined) return
      event.preventDefault()
      move(active === null ? last : active + step)
    },
  }
}

interface CurvesProps {
  plot: Plot
  series: readonly Series[]
  /** The number of points that are over. */
  over: number
  active: number | null
}

const Curves = ({ plot, series, over, active }: CurvesProps) =>
  series.map(({ key, colour, values }) => {
    const numbers = values.map(Number)
    return (
      <Curve
        key={key}
        d={plot.path(numbers.slice(0, over))}
        points={numbers.map((value, at) => ({ x: plot.x(at), y: plot.y(value) }))}
        colour={colour}
        dashed={over < values.length}
        marked={active ?? (values.length === 1 ? 0 : null)}
      />
    )
  })

interface AxesProps {
  plot: Plot
  labels: readonly string[]
  format(value: string): string
}

/** Lines with their values, and the labels below. */
function Axes({ plot: { width, height, axis, marks, every, x, y }, labels, format }: AxesProps) {
  const last = labels.length - 1
  return (
    <>
      {marks.map(tick => (
        <g key={tick}>
          <line x1={axis} x2={width - margin.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={axis - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="num fill-ink-3 text-[11px]">
            {format(String(tick))}
          </text>
        </g>
      ))}
      {labels.map(
        (label, index) =>
          (last - index) % every === 0 && (
            <text
              key={label}
              x={x(index)}
              y={height - 8}
              textAnchor={index === last && last > 0 ? 'end' : 'middle'}
              className="num fill-ink-3 text-[11px]"
            >
              {label}
            </text>
          ),
      )}
    </>
  )
}

interface CurveProps {
  d: string
  points: readonly { x: number; y: number }[]
  colour: string | undefined
  /** Whether a dashed line leads to the last point. */
  dashed: boolean
  /** The index of the point that is marked. */
  marked: number | null
}

/** The line of one series. */
function Curve({ d, points, colour, dashed, marked }: CurveProps) {
  const [before, end] = points.slice(-2)
  const mark = marked === null ? undefined : points[marked]
  return (
    <g>
      <path d={d} fill="none" stroke={colour} strokeWidth={2} strokeLinejoin="round" />
      {dashed && before && end && (
        <>
          <line
            {...{ x1: before.x, y1: before.y, x2: end.x, y2: end.y }}
            stroke={colour}
            strokeWidth={1.5}
            strokeDasharray={dashes}
            opacity={0.75}
          />
          <circle cx={end.x} cy={end.y} r={3} stroke={colour} strokeWidth={1.5} className="fill-surface" />
        </>
      )}
      {mark && <circle cx={mark.x} cy={mark.y} r={4} fill={colour} strokeWidth={2} className="stroke-surface" />}
    </g>
  )
}

interface ValuesProps {
  side: { left: number } | { right: number }
  label: string
  rows: readonly { key: string; name: string; colour: string; value: string }[]
}

/** The values of the marked point. */
const Values = ({ side, label, rows }: ValuesProps) => (
  <div
    role="status"
    style={side}
    className="pointer-events-none absolute top-2 z-10 rounded-lg bg-surface px-3 py-2 text-[13px] whitespace-nowrap shadow-popup"
  >
    <div className="mb-1 text-xs text-ink-3">{label}</div>
    {rows.map(({ key, name, colour, value }) => (
      <div key={key} className="flex items-center justify-between gap-4">
        <span className="flex items-center gap-2 text-ink-2">
          <Dot colour={colour} />
          {name}
        </span>
        <span className="num font-medium">{value}</span>
      </div>
    ))}
  </div>
)

export const Dot = ({ colour }: { colour: string }) => (
  <span aria-hidden="true" style={{ background: colour }} className="size-2 shrink-0 rounded-full" />
)

const Legend = ({ series }: { series: readonly { name: string; colour: string }[] }) => (
  <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
    {series.map(each => (
      <span key={each.name} className="flex items-center gap-2">
        <Dot colour={each.colour} />
        {each.name}
      </span>
    ))}
  </figcaption>
)

/** Observes the width of an element in px; 0 before the first measurement. */
function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    setWidth(element.current.getBoundingClientRect().width)
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

interface DataTableProps {
  caption: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

/** A chart's data as a table for screen readers. The box is needed because a table cannot be clipped to 1 px. */
const DataTable = ({ caption, head, rows }: DataTableProps) => (
  <div className="sr-only">
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...rest]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {rest.map((value, index) => (
              <td key={head[index + 1]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
