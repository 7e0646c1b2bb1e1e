import { text } from '../locales/text.ts'
import { TokenMark, type TokenMarkName } from '../parts/TokenMark.tsx'

type Row = {
  mark: TokenMarkName
  name: string
  detail: string
  value: string
  change: string
  tone?: 'up' | 'down'
}

const rows: readonly Row[] = [
  {
    ...{ mark: 'ethereum', name: 'Ether', detail: 'ETH on Ethereum' },
    ...{ value: '$18,402.11', change: '+1.42%', tone: 'up' },
  },
  {
    ...{ mark: 'bitcoin', name: 'Bitcoin', detail: 'BTC' },
    ...{ value: '$15,960.40', change: '+0.61%', tone: 'up' },
  },
  {
    ...{ mark: 'dollar', name: 'USD Coin', detail: 'USDC on Base' },
    ...{ value: '$8,150.00', change: '0.00%' },
  },
  {
    ...{ mark: 'solana', name: 'Solana', detail: 'SOL' },
    ...{ value: '$5,700.56', change: '−1.18%', tone: 'down' },
  },
]

/** A portfolio to look at: nothing in it can be pressed, and it requests nothing. */
export const Sample = () => (
  <figure className="sample" role="img" aria-label={text('sample.label')}>
    <div className="card sampleCard" aria-hidden="true" inert>
      <div className="sampleTop">
        <span className="quiet small">{text('sample.total')}</span>
        <span className="tag">{text('sample.tag')}</span>
      </div>
      <p className="sampleSum">
        $48,213<small>.07</small>
      </p>
      <p className="sampleChange">
        <b data-tone="up">+$391.80</b> <span data-tone="up">+0.82%</span>{' '}
        <span className="quiet">{text('sample.since')}</span>
      </p>
      <svg
        className="sampleLine"
        viewBox="0 0 520 120"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className="area" d={`${line}V120H0Z`} />
        <path className="stroke" d={line} />
      </svg>
      <ul>
        {rows.map(({ mark, name, detail, value, change, tone }) => (
          <li key={name} className="sampleRow">
            <TokenMark name={mark} />
            <span className="tokenName">
              <b>{name}</b>
              <span className="quiet small">{detail}</span>
            </span>
            <span className="tokenAmount">
              <b>{value}</b>
              <span className="small" data-tone={tone}>
                {change}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
    <div className="card sampleAllowance" aria-hidden="true" inert>
      <span className="tokenName">
        <b>{text('sample.app')}</b>
        <span className="small">{text('sample.risk')}</span>
      </span>
      <span className="button">{text('sample.revoke')}</span>
    </div>
  </figure>
)

const line =
  'M0 73.7L11.1 66.2L22.1 67.8L33.2 59L44.3 58.5L55.3 54.9L66.4 45.8L77.4 44.8L88.5 35.3L99.6 33L110.6 24.1L121.7 15.5L132.8 13L143.8 17.8L154.9 10L166 10L177 11.1L188.1 18.1L199.1 18.3L210.2 15.3L221.3 22.7L232.3 13.4L243.4 18.7L254.5 13.8L265.5 10L276.6 10L287.7 10L298.7 14.5L309.8 10L320.9 10.3L331.9 11.7L343 10L354 10L365.1 10L376.2 10L387.2 10L398.3 12.1L409.4 10L420.4 10L431.5 10.4L442.6 10L453.6 10L464.7 14.1L475.7 16.6L486.8 10.8L497.9 11L508.9 10.3L520 12'
