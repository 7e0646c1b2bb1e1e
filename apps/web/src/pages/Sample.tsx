import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { TokenMark, type TokenMarkName } from '../parts/TokenMark.tsx'
import { Percent } from '../portfolio/Percent.tsx'

type Row = { mark: TokenMarkName; name: string; detail: string; value: string; amount: string }

const rows: readonly Row[] = [
  {
    ...{ mark: 'ethereum', name: 'Ether', detail: 'Ethereum · $3,184.20' },
    ...{ value: '$18,402.11', amount: '5.779 ETH' },
  },
  {
    ...{ mark: 'bitcoin', name: 'Wrapped Bitcoin', detail: 'Ethereum · $96,420.00' },
    ...{ value: '$15,960.40', amount: '0.165 WBTC' },
  },
  {
    ...{ mark: 'dollar', name: 'USD Coin', detail: 'Base · $1.00' },
    ...{ value: '$8,150.00', amount: '8,150.000 USDC' },
  },
]

const actions = [
  { name: 'send', glyph: 'send' },
  { name: 'receive', glyph: 'receive' },
  { name: 'swap', glyph: 'swap' },
  { name: 'buy', glyph: 'coins' },
] as const

/** A portfolio to look at: nothing in it can be pressed, and it requests nothing. */
export const Sample = () => (
  <figure className="sample" role="img" aria-label={text('sample.label')}>
    <div className="card sampleCard" aria-hidden="true" inert>
      <div className="sampleTop">
        <span className="quiet small">{text('sample.total')}</span>
        <span className="tag">{text('sample.tag')}</span>
      </div>
      <p className="sampleSum">
        $42,512<small>.51</small>
      </p>
      <p className="change">
        <bdi className="changed" data-sign="+">
          +$328.37
        </bdi>
        <Percent change={0.78} look="tag" />
        <span>{text('portfolio.sinceDay')}</span>
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
      <div className="actions">
        {actions.map(({ name, glyph }) => (
          <span key={name} className="round">
            <span className="roundIcon">
              <Glyph name={glyph} size={24} />
            </span>
            {text(`nav.${name}`)}
          </span>
        ))}
      </div>
      <ul>
        {rows.map(({ mark, name, detail, value, amount }) => (
          <li key={detail} className="sampleRow">
            <TokenMark name={mark} />
            <span className="tokenName">
              <b>{name}</b>
              <span className="quiet small">{detail}</span>
            </span>
            <span className="tokenAmount">
              <b>{value}</b>
              <span className="quiet small">{amount}</span>
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
  'M0 99.2L10.2 104L20.4 100.6L30.6 94.1L40.8 95.3L51 100.7L61.2 99.6L71.4 95.7L81.6 88.6L91.8 93.4L102 98.6L112.2 93.5L122.4 89.7L132.5 80.4L142.7 73.9L152.9 73L163.1 72.9L173.3 58.3L183.5 58.4L193.7 60.9L203.9 65.3L214.1 63.4L224.3 61.2L234.5 61.6L244.7 60.5L254.9 57.6L265.1 52.6L275.3 45.6L285.5 43L295.7 50.8L305.9 45.8L316.1 51.6L326.3 51L336.5 57.2L346.7 55.7L356.9 58.3L367.1 55.7L377.3 37.4L387.5 36.2L397.6 30.4L407.8 35.8L418 35.8L428.2 31L438.4 30L448.6 26.7L458.8 24.7L469 28.4L479.2 24.1L489.4 26.8L499.6 15.8L509.8 17L520 12'
