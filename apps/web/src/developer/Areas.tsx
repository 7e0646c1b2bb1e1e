import type { Network } from '@latchkey/core'
import { useFeatures, useNetwork } from '@latchkey/react'
import { type Area, areas } from '@latchkey/wire'
import { useId } from 'react'
import { text } from '../locales/text.ts'

/**
 * The features of the server, a row each, for each network: the source, or the reason that they are
 * off. A feature that is off is not offered anywhere.
 */
export function Areas() {
  const id = useId()
  const { data, status, refetch } = useFeatures()
  return (
    <section className="card call" aria-labelledby={id}>
      <h2 id={id}>{text('dev.areas')}</h2>
      <p className="quiet small">{text('dev.areasText')}</p>
      <div className="outcome" aria-live="polite">
        {status === 'error' && (
          <>
            <p>{text('dev.areasFailed')}</p>
            <button type="button" className="button" onClick={() => refetch()}>
              {text('app.retry')}
            </button>
          </>
        )}
      </div>
      {data && <Matrix labelledBy={id} />}
    </section>
  )
}

function Matrix({ labelledBy }: { labelledBy: string }) {
  const { networks } = useNetwork()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <div className="matrix" tabIndex={0}>
      <table className="areas" aria-labelledby={labelledBy}>
        <thead>
          <tr>
            <th scope="col" className="quiet">
              {text('dev.areaName')}
            </th>
            {networks.map(({ caipNetworkId, name }) => (
              <th key={caipNetworkId} scope="col">
                {name} <span className="code quiet">{caipNetworkId}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map((area) => (
            <tr key={area}>
              <th scope="row">{text(`area.${area}`)}</th>
              {networks.map((network) => (
                <Cell key={network.caipNetworkId} network={network} area={area} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ network, area }: { network: Network; area: Area }) {
  const { data } = useFeatures({ chainId: network.caipNetworkId })
  const state = data?.[area]
  return (
    <td data-on={state?.on === true}>
      <span>{text(state?.on ? 'dev.areaOn' : 'dev.areaOff')}</span>{' '}
      <small>{state?.source || text('dev.areaUnknown')}</small>
    </td>
  )
}
