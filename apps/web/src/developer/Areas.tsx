import type { Network } from '@latchkey/core'
import { useFeatures, useNetwork } from '@latchkey/react'
import { areas } from '@latchkey/wire'
import { useId } from 'react'
import { text } from '../locales/text.ts'

/**
 * The features of the server for each network, with their source or the reason that they are off. A
 * feature that is off is not offered anywhere.
 */
export function Areas() {
  const id = useId()
  const { networks } = useNetwork()
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
      {data && networks.map((network) => <Table key={network.caipNetworkId} network={network} />)}
    </section>
  )
}

function Table({ network: { caipNetworkId, name } }: { network: Network }) {
  const { data } = useFeatures({ chainId: caipNetworkId })
  return (
    <table className="areas">
      <caption>
        {name} <span className="code">{caipNetworkId}</span>
      </caption>
      <thead className="quiet">
        <tr>
          <th scope="col">{text('dev.areaName')}</th>
          <th scope="col">{text('dev.areaState')}</th>
          <th scope="col">{text('dev.areaSource')}</th>
        </tr>
      </thead>
      <tbody>
        {areas.map((area) => {
          const state = data?.[area]
          return (
            <tr key={area}>
              <th scope="row">{text(`area.${area}`)}</th>
              <td>{text(state?.on ? 'dev.areaOn' : 'dev.areaOff')}</td>
              <td className="quiet">{state?.source || text('dev.areaUnknown')}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
