/**
 * The page at /ui: puts the shell into the document. The first module that the browser loads.
 */
import { render } from 'preact';
import { Shell } from './shell/shell.js';
import './styles.css';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element "app"');
render(<Shell />, root);
