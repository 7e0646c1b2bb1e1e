/** The sign of a change, empty if two digits show no change. */
export function getSign(change: number) {
  if (Math.abs(change) < 0.005) return ''
  return change > 0 ? '+' : '−'
}

/** A change in percent with its sign, in the color of a gain or a loss. */
export function Percent({ change, look }: { change: number; look?: 'tag' }) {
  const sign = getSign(change)
  return (
    <bdi className="changed" data-sign={sign} data-look={look} translate="no">
      {`${sign}${Math.abs(change).toFixed(2)}%`}
    </bdi>
  )
}
