const marks = {
  ethereum: {
    color: '#5f6fd6',
    path: 'M11.944 17.97L4.58 13.62 11.943 24l7.37-10.38-7.372 4.35h.003zM12.056 0L4.69 12.223l7.365 4.354 7.365-4.35L12.056 0z',
  },
  bitcoin: {
    color: '#e58f2e',
    path: 'M9 6.5h4.2a2.75 2.75 0 0 1 0 5.5H9m0 0h4.9a2.75 2.75 0 0 1 0 5.5H9M10.2 4v2.5m3-2.5v2.5m-3 11V20m3-2.5V20M9 6.5v11',
    isLine: true,
  },
  dollar: {
    color: '#2c72c7',
    path: 'M15.6 8.8c-.4-1.3-1.8-2.1-3.6-2.1-2.1 0-3.6 1-3.6 2.6 0 3.8 7.4 1.6 7.4 5.4 0 1.7-1.6 2.7-3.8 2.7-2 0-3.5-.9-3.9-2.4M12 4.6v2.1m0 10.7v2.1',
    isLine: true,
  },
} as const satisfies Record<string, { color: string; path: string; isLine?: true }>

export type TokenMarkName = keyof typeof marks

/** The mark of a well-known token, for decoration: its name stands next to it. */
export function TokenMark({ name }: { name: TokenMarkName }) {
  const mark = marks[name]
  const line = { fill: 'none', stroke: '#fff', strokeWidth: 1.75, strokeLinecap: 'round' } as const
  return (
    <span className="logo tokenMark" style={{ background: mark.color }} aria-hidden="true">
      <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
        <path d={mark.path} {...('isLine' in mark ? line : { fill: '#fff' })} />
      </svg>
    </span>
  )
}
