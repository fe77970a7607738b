/** What the layers above share with this one and no user needs: loads by address, and classes that are initialised early. */
package dev.larder.memory.raw;
