/**
 * GET /metrics: the Prometheus text exposition.
 */
import type { AppContext } from '../app-context.js';
import type { Exchange } from '../http/exchange.js';
import { reply } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';

export function metricsRoutes(context: AppContext): RouteDefinition[] {
  const { metrics } = context;
  const handle = (exchange: Exchange): void => {
    context.gather(() => {
      metrics.render().then(
        (body) => reply(exchange, { status: 200, contentType: metrics.contentType, body }),
        (error: unknown) => exchange.fail(error),
      );
    });
  };
  return [{ template: '/metrics', endpoints: { GET: { access: 'search', handle } } }];
}
