interface Props {
  caption: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

/** What a chart shows as a table, for those who cannot see it. The box is needed: a table itself cannot be cut to 1 px. */
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
