interface Props {
  caption: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

/** A chart's data as a table for screen readers. The box is needed because a table cannot be clipped to 1 px. */
export const DataTable = ({ caption, head, rows }: Props) => (
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
