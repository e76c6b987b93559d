import type { Config } from '../config.ts';
import { jobChores } from '../jobs/index.ts';
import type { Database } from '../kernel/db.ts';
import type { Feature } from '../kernel/feature.ts';
import { catalogHandlers, prepareCatalog } from './handlers.ts';
import { createBodyReader } from './read-body.ts';
import { catalogTasks } from './tasks.ts';

export { acceptExport, acceptUpdate } from './accept-job.ts';
export { createProductsNow } from './create-now.ts';
export { putCategories } from './put-categories.ts';
export { readUpdate } from './read-update.ts';

type CatalogFeature = Feature<ReturnType<typeof catalogHandlers>> & { prepare: ReturnType<typeof prepareCatalog> };

export function catalogFeature(config: Config, db: Database): CatalogFeature {
  const reader = createBodyReader();
  const ending = {
    get publicUrl() {
      return config.publicUrl;
    },
    fileDays: config.limits.downloadDays,
  };
  return {
    handlers: catalogHandlers(config, reader),
    prepare: prepareCatalog(config, reader),
    tasks: catalogTasks(db, ending),
    chores: jobChores(config),
    close: reader.close,
  };
}
