/**
 * The option of the commands that work on a data directory: named as `sabre serve` names it.
 */
import { Option } from 'commander';

/** --data-dir, or SABRE_DATA_DIR. */
export const dataDirOption = (): Option =>
  new Option('--data-dir <folder>', 'where the data lies').env('SABRE_DATA_DIR');
